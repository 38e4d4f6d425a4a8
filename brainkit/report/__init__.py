"""Reports: one HTML file that stays alive, from a notebook or from answers."""
