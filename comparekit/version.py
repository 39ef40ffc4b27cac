"""The version of comparekit, as every receipt names it."""

VERSION = "0.1.0"
