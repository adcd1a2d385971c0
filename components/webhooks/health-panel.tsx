// The health of an endpoint: since when it fails, and the figures of the last day.
"use client";
import type { ReactNode } from "react";
import type { PresentedHealth } from "@/server/trpc/present/endpoint-health";
import { LocalTime } from "../time/local-time";
import { TimeLeft } from "../time/time-left";
import { Notice } from "../ui/notice";
import { Panel } from "../ui/panel";
import { answerText, baseText, durationText, rateText, waitingText } from "./health-text";

/** The panel of the endpoint's page. */
export function HealthPanel({ health }: { readonly health: PresentedHealth }) {
  const { median_ms: median, slow_ms: slow, last_attempt_at: lastAt } = health;
  return (
    <section aria-labelledby="health" className="grid gap-4">
      <h2 id="health" className="text-lg">
        Health
      </h2>
      <FailingNotice health={health} />
      <Panel>
        <dl className="grid gap-6 sm:grid-cols-2 xl:grid-cols-4">
          <Figure label="Accepted" value={rateText(health) ?? "–"} note={baseText(health)} />
          <Figure
            label="Response time"
            value={median === null ? "–" : durationText(median)}
            note={slow === null ? "no answers in 24 hours" : `median; 95% within ${durationText(slow)}`}
          />
          <Figure
            label="Last attempt"
            value={lastAt === null ? "–" : answerText(health.last_status, health.last_error)}
            note={lastAt === null ? "nothing sent yet" : <LocalTime iso={lastAt} />}
          />
          <Figure label="Waiting" value={waitingText(health.waiting)} note={<NextAttempt health={health} />} />
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
  const { next_attempt_at: next, condition, waiting } = health;
  if (condition === "paused") return waiting === 0 ? "paused" : "until it is enabled";
  if (condition === "disabled") return "nothing is sent";
  if (next === null) return waiting === 0 ? "no attempt is due" : "being sent";
  return (
    <>
      next attempt: <TimeLeft iso={next} isCalm />
    </>
  );
}

function FailingNotice({ health }: { readonly health: PresentedHealth }) {
  const { condition, failing_since: since, last_accepted_at: accepted, disabled_from: disabled } = health;
  if (condition === "unstable") {
    return (
      <Notice tone="test">
        Not every message was accepted lately. Those are sent again by the schedule; the deliveries show the answers.
      </Notice>
    );
  }
  if (condition !== "failing" || since === null) return null;
  return (
    <Notice tone="bad">
      Failing since <LocalTime iso={since} />
      {accepted === null ? (
        "; nothing was ever accepted."
      ) : (
        <>
          ; last success <LocalTime iso={accepted} />.
        </>
      )}{" "}
      {disabled === null ? null : (
        <>
          Unless it accepts something, it is disabled on <LocalTime iso={disabled} />.
        </>
      )}
    </Notice>
  );
}
