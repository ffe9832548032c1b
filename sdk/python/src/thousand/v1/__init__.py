"""Generated from proto/thousand/v1 by proto/generate; never edited by hand."""
