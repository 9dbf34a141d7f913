-- Mail that was seen. The raw mail stays in the archive; here are the author's new words and what was understood.
create table message (
    key          text primary key,            -- Message-ID without <>, or sha256-...
    mailbox      text,
    uid_validity integer,
    uid          integer,
    received     integer not null,            -- unix seconds
    sent         integer,                     -- Date header, unix seconds
    origin       text not null,
    from_name    text not null default '',
    from_email   text not null default '',
    subject      text not null default '',
    recipients   text not null default '[]',  -- JSON array of canonical addresses
    new_text     text not null default '',
    regression   text,                        -- the one that it belongs to
    labels       text not null default '[]',  -- JSON array, most important first
    evidence     text,
    rule         text,
    defects      text not null default '[]'   -- JSON array
) strict;
create index message_subject on message (subject);
create index message_regression on message (regression, received);

-- Every Message-ID that is known to stand in a regression's thread, seen or only referred to.
create table thread (
    message_id text primary key,
    regression text not null
) strict, without rowid;
create index thread_regression on thread (regression);

-- Present standing, derived from `entry`; `folded` is the whole as JSON.
create table regression (
    id         text primary key,
    state      text not null,
    closed     integer not null default 0,
    kind       text not null,
    title      text not null,
    ours       integer not null,
    report     text,                          -- Message-ID of the report
    commit_id  text,
    series     text,                          -- test x machine x parameters x metric
    opened     integer not null,
    since      integer not null,
    touched    integer not null,
    folded     text not null
) strict;
create index regression_commit on regression (commit_id);
create index regression_series on regression (series);
create index regression_state on regression (closed, state);

-- The log. Nothing is ever deleted from it.
create table entry (
    regression text not null references regression (id),
    seq        integer not null,              -- from 1
    at         integer not null,
    message    text,
    json       text not null,
    primary key (regression, seq)
) strict, without rowid;
create index entry_message on entry (message);

-- Mail to send. `raw` is written once, with its Message-ID; a resend carries the same bytes.
create table outbox (
    id         integer primary key,
    key        text not null unique,
    message_id text not null unique,
    regression text,
    reason     text not null,
    subject    text not null,
    sender     text not null,                 -- envelope sender
    raw        blob not null,
    state      text not null check (state in
               ('held', 'queued', 'sending', 'sent', 'confirmed', 'deferred', 'failed', 'dropped')),
    hold       text,                          -- why it is held: slug, or slug: words
    created    integer not null,
    changed    integer not null,
    next_try   integer,
    attempts   integer not null default 0,
    last       text                           -- last answer of the relay, or the last trouble
) strict;
create index outbox_due on outbox (state, next_try);
create index outbox_regression on outbox (regression);

create table outbox_recipient (
    outbox  integer not null references outbox (id),
    address text not null,
    why     text not null default '',
    state   text not null check (state in ('pending', 'accepted', 'deferred', 'refused')),
    answer  text,
    primary key (outbox, address)
) strict, without rowid;

-- How far each mailbox was read: committed together with the mail that it covers.
create table cursor (
    mailbox      text primary key,
    uid_validity integer not null,
    uid          integer not null,
    changed      integer not null
) strict, without rowid;

-- Mail that could not be processed. Kept whole, so that nothing is lost.
create table quarantine (
    id           integer primary key,
    mailbox      text,
    uid_validity integer,
    uid          integer,
    key          text,
    at           integer not null,
    why          text not null,
    raw          blob
) strict;

-- Verdicts that a person should look at.
create table review (
    message    text primary key,
    regression text,
    at         integer not null,
    label      text,                          -- what triage thought, or null
    words      text not null,
    why        text not null,
    settled    text                           -- what the operator said it was
) strict, without rowid;

-- Results that wait for their confirmation round.
create table pending (
    id       text primary key,                -- the id that the answer must name
    asked    integer not null,
    lab      text not null,
    finding  text not null                    -- first round, JSON
) strict, without rowid;

-- Replies whose report has not come yet: worked through again when it does.
create table orphan (
    waits_for text not null,                  -- a Message-ID of its References
    message   text not null,
    at        integer not null,
    raw       blob not null,
    primary key (waits_for, message)
) strict, without rowid;
create index orphan_at on orphan (at);

-- The results that opened a regression of ours, so that a lab can be asked to run them again.
create table finding (
    regression   text primary key,
    lab          text not null,
    notification text not null                -- JSON
) strict, without rowid;
