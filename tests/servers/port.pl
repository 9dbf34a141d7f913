#!/usr/bin/perl
# usage: port.pl           prints a free loopback port, and keeps it from others for a minute
#        port.pl PORT...   keeps these, while their server is down
# Below the range that the kernel picks from for outgoing connections. A port that is free now may be taken before its
# server listens: several tests start servers at the same time.
use strict;
use warnings;
use Fcntl qw(:flock O_RDWR O_CREAT);
use IO::Socket::INET;

my $path = ($ENV{TMPDIR} // "/tmp") . "/regard-test-ports-$<";
sysopen my $file, $path, O_RDWR | O_CREAT or die "$path: $!\n";
flock $file, LOCK_EX or die "$path: $!\n";
my %until = map { /^(\d+) (\d+)$/ && $2 > time ? ($1, $2) : () } <$file>;
my @kept = @ARGV;
for (1 .. 500) {
    last if @kept;
    my $port = 20000 + int rand 12000;
    next if $until{$port};
    push @kept, $port if IO::Socket::INET->new(Listen => 1, LocalAddr => "127.0.0.1", LocalPort => $port);
}
die "no free port\n" unless @kept;
$until{$_} = time + 60 for @kept;
seek $file, 0, 0;
truncate $file, 0;
print $file map { "$_ $until{$_}\n" } sort keys %until;
close $file;
print "@kept\n" unless @ARGV;
