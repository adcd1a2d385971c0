// The member's open work: approvals, exceptions, failing receivers.
"use client";
import { useQuery } from "@tanstack/react-query";
import { ArrowUpRight, CircleCheck, type LucideIcon, TriangleAlert, Webhook } from "lucide-react";
import Link from "next/link";
import type { Texts } from "../i18n/dashboard-texts";
import { useTexts } from "../i18n/use-texts";
import { formatAmount } from "../money/format-amount";
import { usePollingInterval } from "../shell/live-changes";
import { useMay, useShell } from "../shell/shell-context";
import { BACKGROUND, useTRPC } from "../trpc/client";

interface Task {
  readonly href: string;
  readonly Icon: LucideIcon;
  readonly title: string;
  readonly detail: string;
}

function shownCount(texts: Texts, count: number, cap: number): string {
  return count >= cap ? `${texts.number(cap)}+` : String(count);
}

/** Queried only if the member's role allows acting on it. */
function useTasks(): { readonly tasks: readonly Task[]; readonly isKnown: boolean } {
  const texts = useTexts();
  const { environment } = useShell();
  const trpc = useTRPC();
  const poll = { refetchInterval: usePollingInterval() };
  const [mayApprove, maySettle, mayWebhook] = [
    useMay("decide_payouts"),
    useMay("decide_exceptions"),
    useMay("manage_webhooks"),
  ];
  const waiting = useQuery({
    ...trpc.overview.waiting.queryOptions({ environment }, BACKGROUND),
    ...poll,
    enabled: mayApprove,
  });
  const exceptions = useQuery({
    ...trpc.exceptions.count.queryOptions({ environment }, BACKGROUND),
    ...poll,
    enabled: maySettle,
  });
  const endpoints = useQuery({
    ...trpc.webhookEndpoints.list.queryOptions({ environment }, BACKGROUND),
    ...poll,
    enabled: mayWebhook,
  });
  const failing = (endpoints.data?.endpoints ?? []).filter(
    ({ state, failing_since: since }) => state !== "paused" && (since !== null || state === "disabled"),
  );
  const tasks: Task[] = [];
  if (waiting.data && waiting.data.waiting > 0) {
    const { waiting: count, cap, sums } = waiting.data;
    tasks.push({
      href: `/${environment}/payouts?queue=mine`,
      Icon: ArrowUpRight,
      title: texts("overview.payoutsWait", { count, shown: shownCount(texts, count, cap) }),
      detail: sums.map(({ currency, amount }) => `${formatAmount(texts, amount, currency)} ${currency}`).join(" · "),
    });
  }
  if (exceptions.data && exceptions.data.open > 0) {
    const { open, cap } = exceptions.data;
    tasks.push({
      href: `/${environment}/exceptions`,
      Icon: TriangleAlert,
      title: texts("overview.exceptionsNeed", { count: open, shown: shownCount(texts, open, cap) }),
      detail: texts("overview.exceptionsHint"),
    });
  }
  if (failing.length > 0) {
    tasks.push({
      href: `/${environment}/webhooks/endpoints`,
      Icon: Webhook,
      title: texts("overview.endpointsFail", { count: failing.length }),
      detail: failing.map(({ url }) => url).join(" · "),
    });
  }
  return {
    tasks,
    isKnown: [waiting, exceptions, endpoints].every(({ fetchStatus, data }) => data || fetchStatus === "idle"),
  };
}

export function Tasks() {
  const texts = useTexts();
  const { tasks, isKnown } = useTasks();
  return (
    <section aria-labelledby="tasks" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h2 id="tasks" className="text-lg">
        {texts("overview.needsYourAttention")}
      </h2>
      {tasks.length === 0 ? (
        <p className="flex items-center gap-2.5 rounded-lg border border-line bg-surface px-4 py-3.5 text-sm text-ink-soft">
          <CircleCheck className="size-4.5 shrink-0 text-good" aria-hidden="true" />
          {isKnown ? texts("overview.youreAllCaughtUp") : texts("overview.loading")}
        </p>
      ) : (
        <ul className="grid gap-3 lg:grid-cols-3">
          {tasks.map(({ href, Icon, title, detail }) => (
            <li key={href}>
              <Link
                href={href}
                prefetch={false}
                className="grid h-full grid-cols-[auto_minmax(0,1fr)] content-start gap-x-3 gap-y-0.5 rounded-lg border border-line bg-surface px-4 py-3.5 hover:border-line-strong"
              >
                <Icon className="row-span-2 mt-0.5 size-5 text-warn" aria-hidden="true" />
                <span className="font-semibold">{title}</span>
                <span className="figures text-sm wrap-anywhere text-ink-soft">{detail}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
