// The health of an endpoint: since when it fails, and the figures of the last day.
"use client";
import type { ReactNode } from "react";
import type { PresentedHealth } from "@/server/trpc/present/endpoint-health";
import { useTexts } from "../i18n/use-texts";
import { LocalTime } from "../time/local-time";
import { TimeLeft } from "../time/time-left";
import { Notice } from "../ui/notice";
import { Panel } from "../ui/panel";
import { answerText, baseText, durationText, rateText, waitingText } from "./health-text";

/** The panel of the endpoint's page. */
export function HealthPanel({ health }: { readonly health: PresentedHealth }) {
  const texts = useTexts();
  const { median_ms: median, slow_ms: slow, last_attempt_at: lastAt } = health;
  return (
    <section aria-labelledby="health" className="grid gap-4">
      <h2 id="health" className="text-lg">
        {texts("webhooks.health")}
      </h2>
      <FailingNotice health={health} />
      <Panel>
        <dl className="grid gap-6 sm:grid-cols-2 xl:grid-cols-4">
          <Figure
            label={texts("webhooks.accepted")}
            value={rateText(texts, health) ?? "–"}
            note={baseText(texts, health)}
          />
          <Figure
            label={texts("webhooks.responseTime")}
            value={median === null ? "–" : durationText(texts, median)}
            note={
              slow === null
                ? texts("webhooks.noAnswersLately")
                : texts("webhooks.medianHint", { duration: durationText(texts, slow) })
            }
          />
          <Figure
            label={texts("webhooks.lastAttempt")}
            value={lastAt === null ? "–" : answerText(texts, health.last_status, health.last_error)}
            note={lastAt === null ? texts("webhooks.nothingSentYet") : <LocalTime iso={lastAt} />}
          />
          <Figure
            label={texts("webhooks.waiting")}
            value={waitingText(texts, health.waiting)}
            note={<NextAttempt health={health} />}
          />
        </dl>
      </Panel>
    </section>
  );
}

function Figure({ label, value, note }: { readonly label: string; readonly value: string; readonly note: ReactNode }) {
  return (
    <div className="grid content-start gap-1">
      <dt className="caption">{label}</dt>
      <dd className="grid gap-1">
        <span className="figures text-lg font-medium wrap-anywhere">{value}</span>
        <span className="caption">{note}</span>
      </dd>
    </div>
  );
}

/** When the next attempt is made, or why none is. */
export function NextAttempt({ health }: { readonly health: PresentedHealth }) {
  const texts = useTexts();
  const { next_attempt_at: next, condition, waiting } = health;
  if (condition === "paused" && waiting > 0) return texts("webhooks.untilItIsEnabled");
  if (condition === "paused" || condition === "disabled") return texts("webhooks.nothingIsSent");
  if (next === null) return waiting === 0 ? texts("webhooks.noAttemptIsDue") : texts("webhooks.beingSent");
  return <>{texts.rich("webhooks.nextAttemptIn", { timeLeft: () => <TimeLeft iso={next} isCalm /> })}</>;
}

function FailingNotice({ health }: { readonly health: PresentedHealth }) {
  const texts = useTexts();
  const { condition, failing_since: since, last_accepted_at: accepted, disabled_from: disabled } = health;
  if (condition === "unstable") {
    return <Notice tone="test">{texts("webhooks.unreliableHint")}</Notice>;
  }
  if (condition !== "failing" || since === null) return null;
  return (
    <Notice tone="bad">
      {texts.rich("webhooks.failingSince", { localTime: () => <LocalTime iso={since} /> })}
      {accepted === null ? (
        texts("webhooks.nothingWasEverAccepted")
      ) : (
        <>{texts.rich("webhooks.lastSuccessAt", { localTime: () => <LocalTime iso={accepted} /> })}</>
      )}{" "}
      {disabled === null ? null : (
        <>{texts.rich("webhooks.disabledOn", { localTime: () => <LocalTime iso={disabled} /> })}</>
      )}
    </Notice>
  );
}
