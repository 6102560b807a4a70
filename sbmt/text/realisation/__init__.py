"""From output words back to text: capitals, articles, possessives, and everything unchanged byte for byte."""
