"""The dealing procedure of the regulations: each module decides on the commands of one part."""
