"use client";
import { useQueries } from "@tanstack/react-query";
import { useMay, useShell } from "../shell/shell-context";
import { useTRPC } from "../trpc/client";
import type { Payout } from "./payout";
import { waitingIds } from "./waiting-ids";
import type { PayoutWarnings } from "./warning-marks";

/** As many ids as fit into the address of one call. */
const AT_ONCE = 40;

/** The warnings about those of the payouts that await approval; none for members who do not decide on payouts. */
export function useWarnings(payouts: readonly Pick<Payout, "id" | "status">[]): readonly PayoutWarnings[] {
  const { environment } = useShell();
  const trpc = useTRPC();
  const mayDecide = useMay("decide_payouts");
  const ids = waitingIds(payouts);
  const chunks = Array.from({ length: Math.ceil(ids.length / AT_ONCE) }, (_, n) =>
    ids.slice(n * AT_ONCE, (n + 1) * AT_ONCE),
  );
  const answers = useQueries({
    queries: (mayDecide ? chunks : []).map((chunk) =>
      trpc.payoutIntents.warnings.queryOptions({ environment, ids: chunk }),
    ),
  });
  return answers.flatMap(({ data }) => data ?? []);
}
