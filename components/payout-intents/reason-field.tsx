// The optional reason of a cancellation.
import { useTexts } from "../i18n/use-texts";
import { codePointsOf, LONGEST_REASON } from "./reason";

interface ReasonFieldProps {
  readonly reason: string;
  readonly onChange: (reason: string) => void;
}

export function isTooLong(reason: string): boolean {
  return codePointsOf(reason) > LONGEST_REASON;
}

/** Receives the focus when its dialog opens. */
export function ReasonField({ reason, onChange }: ReasonFieldProps) {
  const texts = useTexts();
  const isInvalid = isTooLong(reason);
  return (
    <div className="grid gap-1.5">
      <label htmlFor="cancel-reason" className="text-sm font-medium">
        {texts.rich("payouts.reasonOptional", {
          span: (words) => <span className="font-normal text-ink-soft">{words}</span>,
        })}
      </label>
      <textarea
        id="cancel-reason"
        data-first-focus=""
        rows={3}
        value={reason}
        onChange={(event) => onChange(event.target.value)}
        aria-invalid={isInvalid || undefined}
        aria-describedby="cancel-reason-note"
        className="w-full rounded-md border border-line-strong bg-surface px-3 py-2 text-sm hover:border-ink"
      />
      <p id="cancel-reason-note" className={isInvalid ? "text-xs text-bad" : "caption"}>
        {texts("payouts.reasonHint", { codePoints: codePointsOf(reason), longestReason: LONGEST_REASON })}
      </p>
    </div>
  );
}
