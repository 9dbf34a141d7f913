-- How far each watched branch was read: committed together with the entries that its commits made.
create table tree_cursor (
    tree    text not null,                    -- name of the configuration
    branch  text not null,                    -- empty for the repository's HEAD
    tip     text not null,                    -- full commit id
    scanned integer not null,                 -- unix seconds
    primary key (tree, branch)
) strict, without rowid;

-- What was looked for in the past of a branch already, so that each is looked for once.
create table tree_looked (
    tree   text not null,
    branch text not null,
    needle text not null,
    primary key (tree, branch, needle)
) strict, without rowid;

-- Fixes that a rewritten branch lacks. A tree that assembles others loses one for a day: only what stays away counts.
create table tree_missing (
    tree      text not null,
    branch    text not null,
    commit_id text not null,
    since     integer not null,               -- unix seconds
    primary key (tree, branch, commit_id)
) strict, without rowid;

-- What a commit message may name to mean a regression, derived from its folded log: ids, subjects and postings of fixes,
-- ids of their reverts, the culprit's subject.
create table mark (
    kind       text not null check (kind in ('commit', 'subject', 'posting')),
    value      text not null,
    regression text not null references regression (id),
    primary key (kind, value, regression)
) strict, without rowid;
create index mark_regression on mark (regression);

-- Subjects are derived anew when the regression is touched next; their spelling is near enough until then.
insert or ignore into mark
    select 'commit', lower(json_extract(folded, '$.fix[0].commit')), id from regression
    where json_extract(folded, '$.fix[0].commit') is not null;
insert or ignore into mark
    select 'subject', lower(trim(json_extract(folded, '$.fix[0].subject'))), id from regression
    where json_extract(folded, '$.fix[0].subject') is not null;
insert or ignore into mark
    select 'subject', lower(trim(json_extract(folded, '$.about.commit_subject'))), id from regression
    where json_extract(folded, '$.about.commit_subject') is not null;
