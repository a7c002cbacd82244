"""Tests of the recogniser and of the readers that feed it, on samples of our own."""
