"""Which settings find what people judged relevant: datasets, measures, experiments, labels."""
