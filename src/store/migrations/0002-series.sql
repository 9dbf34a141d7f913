-- One test on one machine, with its parameters and facts, on one branch of a tree: what can be compared over time.
create table suite (
    id          integer primary key,
    key         text not null unique,         -- readable: tree/branch test k=v/k=v @machine
    tree        text not null,
    branch      text not null,
    test        text not null,
    version     text,
    parameters  text not null,                -- JSON object
    environment text not null,                -- JSON object
    by_date     integer not null              -- ordered by the commits' dates, else by first measurement
) strict;

-- One metric of it.
create table series (
    id        integer primary key,
    suite     integer not null references suite (id),
    metric    text not null,
    unit      text,
    direction text check (direction in ('higher', 'lower')),
    class     text not null check (class in ('kpi', 'monitor')),
    unique (suite, metric)
) strict;

-- The commits that were measured, in their order: `place`, then `id`.
create table measured (
    id        integer primary key,
    suite     integer not null references suite (id),
    commit_id text not null,
    place     integer not null,
    at        integer not null,               -- first measured, unix seconds
    about     text not null,                  -- JSON of the commit as the lab told it
    unique (suite, commit_id)
) strict;
create index measured_place on measured (suite, place, id);

-- The runs of one metric on one commit, a row for each mail that brought runs of its own.
create table point (
    series   integer not null references series (id),
    measured integer not null references measured (id),
    round    integer not null,                -- from 1
    message  text not null,
    at       integer not null,
    runs     text not null,                   -- JSON array in run order, null for a missing run
    builds   text,                            -- JSON array, an index for each run
    primary key (series, measured, round)
) strict, without rowid;

-- Steps of a history that were acted on, so that none is told twice.
create table step (
    suite    integer not null references suite (id),
    measured integer not null references measured (id),  -- first bad commit
    message  text not null,
    at       integer not null,
    metrics  text not null,                   -- JSON array
    primary key (suite, measured)
) strict, without rowid;
