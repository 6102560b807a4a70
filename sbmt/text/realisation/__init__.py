"""Writing output words as text: capitals, articles, possessives; what did not change is kept byte for byte."""
