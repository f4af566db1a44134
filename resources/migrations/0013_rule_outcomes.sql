-- What came of rules' advice in labs and in later looks at servers that have carried it out; in case
-- files also in trials. None names a server, and it stays when its run is deleted: rules have earned it.

CREATE TABLE rule_outcomes (
    -- where it comes from, the run that showed it, and the rule
    key TEXT NOT NULL PRIMARY KEY,
    outcome TEXT NOT NULL CHECK (json_valid(outcome))
) STRICT;
