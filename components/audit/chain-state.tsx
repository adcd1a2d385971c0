// The state of the audit chain: how far it was verified, and when.
"use client";
import { useQuery } from "@tanstack/react-query";
import { useShell } from "../shell/shell-context";
import { LocalTime } from "../time/local-time";
import { useTRPC } from "../trpc/client";
import { Notice } from "../ui/notice";

/** Renders nothing until the state is read. */
export function ChainState() {
  const { environment } = useShell();
  const trpc = useTRPC();
  const { data } = useQuery(trpc.audit.chain.queryOptions({ environment }));
  if (!data) return null;
  const { last_sequence: linked, check } = data;
  if (check === null)
    return (
      <Notice tone="plain" role="note">
        The chain of both environments has {countOf(linked)} and was never verified. Ask the operator to run{" "}
        <code>audit verify</code>.
      </Notice>
    );
  if (check.fault_count > 0)
    return (
      <Notice tone="bad" role="note">
        Verification on <LocalTime iso={check.checked_at} /> found{" "}
        {check.fault_count === 1 ? "one fault" : `${check.fault_count.toLocaleString("en-US")} faults`}. The chain is
        whole up to entry {check.last_sequence.toLocaleString("en-US")}. Ask the operator for the report.
      </Notice>
    );
  return (
    <Notice tone="plain" role="note">
      Verified through entry {check.last_sequence.toLocaleString("en-US")} on <LocalTime iso={check.checked_at} />; the
      chain of both environments has {countOf(linked)}.
    </Notice>
  );
}

function countOf(entries: number): string {
  return entries === 1 ? "one entry" : `${entries.toLocaleString("en-US")} entries`;
}
