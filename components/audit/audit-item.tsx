import type { inferRouterOutputs } from "@trpc/server";
import { ChevronRight } from "lucide-react";
import { AUDIT_ACTOR_TYPES } from "@/server/domain/audit-groups";
import type { AppRouter } from "@/server/trpc/router";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { actorText } from "../intents/actor-text";
import { Facts } from "../intents/facts";
import { addressOfId } from "../shell/navigation";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { Breakable } from "../ui/breakable";
import { CodeBlock } from "../ui/code-block";
import { TextLink } from "../ui/text-link";

type Entry = inferRouterOutputs<AppRouter>["audit"]["list"]["data"][number];

export function AuditItem({ entry }: { readonly entry: Entry }) {
  const texts = useTexts();
  const shell = useShell();
  const { environment } = shell;
  const { action, object_id: objectId, actor, reason, before, after } = entry;
  const page = addressOfId(shell, objectId);
  return (
    <details className="group border-b border-line bg-surface last:border-b-0">
      <summary className="grid list-none grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-1 px-4 py-3 text-sm hover:bg-canvas md:grid-cols-[auto_minmax(0,1.4fr)_minmax(0,1fr)_minmax(0,1.1fr)_13rem] [&::-webkit-details-marker]:hidden">
        <ChevronRight
          className="size-4 shrink-0 text-ink-soft transition-transform duration-150 group-open:rotate-90"
          aria-hidden="true"
        />
        <span className="font-medium wrap-anywhere">
          <Breakable name={action} />
        </span>
        <span className="truncate text-ink-soft max-md:col-start-2" title={actorText(texts, actor)}>
          {actorText(texts, actor)}
        </span>
        <span className="truncate font-mono text-xs text-ink-soft max-md:col-start-2">{objectId}</span>
        <span className="text-ink-soft max-md:col-start-2 max-md:text-xs md:text-right">
          <LocalTime iso={entry.at} />
        </span>
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 px-4 pt-1 pb-5 sm:pl-11">
        <Facts
          facts={[
            reason === null ? null : [texts("audit.reason"), reason],
            [texts("audit.object"), page === null ? objectId : <TextLink href={page}>{objectId}</TextLink>],
            [
              texts("audit.actor"),
              <TextLink key="actor" href={`/${environment}/audit?actor_id=${encodeURIComponent(actor.id)}`}>
                {kindText(texts, actor.type)} <code className="font-mono text-xs">{actor.id}</code>
              </TextLink>,
            ],
            [texts("audit.name"), actorText(texts, actor)],
            entry.address === null
              ? null
              : [
                  texts("audit.address"),
                  <span key="address" className="font-mono text-xs">
                    {entry.address}
                  </span>,
                ],
            entry.request_id === null ? null : [texts("audit.request"), entry.request_id],
            [texts("audit.entry"), entry.id],
          ]}
        />
        {before === null ? null : <CodeBlock title={texts("audit.beforeId", { id: entry.id })} code={before} />}
        {after === null ? null : <CodeBlock title={texts("audit.afterId", { id: entry.id })} code={after} />}
      </div>
    </details>
  );
}

/** The kind of an actor; one that this version does not know is shown as it is. */
function kindText(texts: Texts, type: string): string {
  const known = AUDIT_ACTOR_TYPES.find((one) => one === type);
  return known === undefined ? type : texts(`audit.kind_${known}`);
}
