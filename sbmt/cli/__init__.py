"""Commands: parse the arguments, call a public function, print. Nothing in the package imports from here."""
