"""Commands: parse the arguments, call a public function, print. Nothing imports from here."""
