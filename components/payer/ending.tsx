// What the payer sees of an ended payment: the status's icon and the time.
import type { PaymentStatus } from "@/server/domain/payment-transitions";
import { LocalTime } from "../time/local-time";
import { BADGE_TONES } from "../ui/badge";
import { STATUS_LOOKS } from "../ui/status-badge";

interface EndingSignProps {
  readonly status: PaymentStatus;
}

/** The status's icon on its background; the heading below states the same in words. */
export function EndingSign({ status }: EndingSignProps) {
  const { Icon, tone } = STATUS_LOOKS[status];
  return (
    <span className={`mb-3 grid size-14 place-items-center rounded-lg ${BADGE_TONES[tone]}`}>
      <Icon className="size-8" aria-hidden="true" />
    </span>
  );
}

interface EndedAtProps extends EndingSignProps {
  /** ISO 8601. */
  readonly iso: string;
}

export function EndedAt({ status, iso }: EndedAtProps) {
  return (
    <dl className="border-t border-line pt-3 text-sm">
      <dt className="caption">{status === "succeeded" ? "Paid on" : "Ended on"}</dt>
      <dd>
        <LocalTime iso={iso} />
      </dd>
    </dl>
  );
}
