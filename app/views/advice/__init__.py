"""The page of advice: the judged rules, their evidence, the plan, another version."""
