// The state of the audit chain: how far it was verified, and when.
"use client";
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../i18n/use-texts";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { useTRPC } from "../trpc/client";
import { Notice } from "../ui/notice";

/** Renders nothing until the state is read. */
export function ChainState() {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const { data } = useQuery(trpc.audit.chain.queryOptions({ environment }));
  if (!data) return null;
  const { last_sequence: linked, check } = data;
  if (check === null)
    return (
      <Notice tone="plain" role="note">
        {texts.rich("audit.chainNeverVerified", {
          count: linked,
          code: (words) => <code>{words}</code>,
        })}
      </Notice>
    );
  if (check.fault_count > 0)
    return (
      <Notice tone="bad" role="note">
        {texts.rich("audit.chainFaulty", {
          localTime: () => <LocalTime iso={check.checked_at} />,
          count: check.fault_count,
          lastSequence: texts.number(check.last_sequence),
        })}
      </Notice>
    );
  return (
    <Notice tone="plain" role="note">
      {texts.rich("audit.chainVerified", {
        lastSequence: texts.number(check.last_sequence),
        localTime: () => <LocalTime iso={check.checked_at} />,
        count: linked,
      })}
    </Notice>
  );
}
