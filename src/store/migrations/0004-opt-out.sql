-- Addresses that asked not to be written to, about anything.
create table opt_out (
    email   text primary key,                 -- canonical
    message text not null,                    -- key of the mail that said so
    at      integer not null                  -- unix seconds
) strict, without rowid;
