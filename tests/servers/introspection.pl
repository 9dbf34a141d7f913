#!/usr/bin/perl
# usage: introspection.pl PORT
# Token introspection (RFC 7662) for Dovecot's oauth2: "good-token" belongs to the user "bot", no other is active.
use strict;
use warnings;
use IO::Socket::INET;

my $listener = IO::Socket::INET->new(
    Listen => 16, LocalAddr => "127.0.0.1", LocalPort => $ARGV[0], ReuseAddr => 1,
) or die "introspection: $!\n";
while (my $client = $listener->accept) {
    my $length = 0;
    while (my $line = <$client>) {
        $length = $1 if $line =~ /^content-length:\s*(\d+)/i;
        last if $line =~ /^\r?\n$/;
    }
    read($client, my $body, $length);
    my $answer = $body =~ /good-token/ ? '{"active":true,"username":"bot","scope":"imap"}' : '{"active":false}';
    printf $client "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
        length $answer, $answer;
    close $client;
}
