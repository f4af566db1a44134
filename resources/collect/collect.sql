-- Collects what Leadline asks of a {{flavour}} server, for an account alone. Written by Leadline {{version}}. Read it, then:
--
--   mysql OPTIONS --batch --verbose --force --unbuffered --column-names < collect.sql > db7-collect.txt 2>&1
--
-- It changes nothing and reads no row of a table; it takes some {{seconds}} s. The account needs PROCESS, and SELECT on
-- performance_schema. Settings that are, or look like, a password, key or token are left out. Names of files and the hosts
-- of clients are in the text: look into it before you send it. InnoDB's status is not asked: it quotes statements.
SELECT '{{first_word}} {{format}}' AS collection, '{{version}}' AS version, UTC_TIMESTAMP() AS taken_at, @@hostname AS name,
    {{line}} AS line;
