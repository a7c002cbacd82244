"""Akoma Ntoso, as XML (versions 2 and 3) and as the HTML that Indigo and Peachjam make of it."""
