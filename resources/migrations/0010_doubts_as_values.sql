-- Doubts are kept as kinds with figures; what older programs kept are sentences.

ALTER TABLE points RENAME COLUMN trust_reasons TO doubts;
