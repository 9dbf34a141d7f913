create table tested (
    commit_id text not null,
    series    integer not null references series (id),
    at        integer not null,               -- last decided, unix seconds
    p         real not null,
    primary key (commit_id, series)
) strict, without rowid;
