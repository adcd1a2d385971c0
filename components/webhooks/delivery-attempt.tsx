// One attempt of a delivery: what was sent, and what was answered.

import type { PresentedDelivery } from "@/server/trpc/present/delivery";
import { useTexts } from "../i18n/use-texts";
import { LocalTime } from "../time/local-time";
import { CodeBlock } from "../ui/code-block";

interface DeliveryAttemptProps {
  readonly attempt: PresentedDelivery["attempts"][number];
}

export function DeliveryAttempt({ attempt }: DeliveryAttemptProps) {
  const texts = useTexts();
  const { ordinal, response_status: status, error, error_detail: detail } = attempt;
  const headers = Object.entries(attempt.request_headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <p className="figures text-sm">
        {texts.rich("webhooks.attemptSummary", {
          strong: (words) => <strong className="font-semibold">{words}</strong>,
          ordinal,
          answer: status === null ? texts("webhooks.noAnswer") : texts("webhooks.httpStatus", { status }),
          durationMs: attempt.duration_ms,
          localTime: () => <LocalTime iso={attempt.attempted_at} />,
        })}
      </p>
      {error === null ? null : <p className="text-sm text-bad wrap-anywhere">{detail ?? error}</p>}
      <CodeBlock title={texts("webhooks.requestHeaders", { ordinal })} code={headers.join("\n")} />
      {attempt.response_body === "" ? null : (
        <CodeBlock title={texts("webhooks.responseToAttemptOrdinal", { ordinal })} code={attempt.response_body} />
      )}
    </div>
  );
}
