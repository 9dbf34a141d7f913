//! Whether a mail may be answered at all (RFC 3834 section 2).

use super::origin::is_automatic;
use super::{Identity, Message, Origin, origin};

/// `Err` names the rule of manners that forbids an answer: `own-mail`, `machine-mail`, `auto-submitted`,
/// `empty-return-path`, `precedence-junk`, `precedence-bulk`, `no-sender`, `machine-sender`.
///
/// A `Precedence: bulk` that list software added does not silence us: the list carries people's words. Such a mail is
/// known by its List-Id, X-Mailing-List or X-BeenThere. Whether the answer may go to that list is not decided here.
pub fn may_answer(message: &Message, identity: &Identity) -> Result<(), &'static str> {
    match origin(message, identity) {
        Origin::Own => return Err("own-mail"),
        Origin::AutoReply | Origin::Bounce | Origin::Moderation => return Err("machine-mail"),
        _ => {}
    }
    if message.header("return-path").is_some_and(|path| path.trim() == "<>") {
        return Err("empty-return-path");
    }
    let precedence = message.header("precedence").unwrap_or_default().to_ascii_lowercase();
    if precedence.contains("junk") {
        return Err("precedence-junk");
    }
    let listed =
        ["list-id", "x-mailing-list", "x-beenthere"].iter().any(|h| message.header(h).is_some());
    if precedence.contains("bulk") && !listed {
        return Err("precedence-bulk");
    }
    if is_automatic(message) {
        return Err("auto-submitted");
    }
    let Some(from) = message.from.as_ref().filter(|from| from.email.contains('@')) else {
        return Err("no-sender");
    };
    let local = from.canonical();
    let local = local.split('@').next().unwrap_or_default();
    let machine = ["mailer-daemon", "postmaster", "listserv", "majordomo", "nobody"]
        .contains(&local)
        || ["noreply", "no-reply", "donotreply", "do-not-reply"].iter().any(|m| local.contains(m))
        || ["-request", "-owner", "-bounces", "-relay"].iter().any(|m| local.ends_with(m))
        || local.starts_with("owner-");
    if machine || identity.is_robot(from) { Err("machine-sender") } else { Ok(()) }
}
