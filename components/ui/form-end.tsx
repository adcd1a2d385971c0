// Owns the end of a form in a dialog: why it was refused, closing it, sending it.
import { Button } from "./button";
import { Notice } from "./notice";

interface FormEndProps {
  /** Why what was sent was refused; null where it was not. */
  readonly refusal: string | null;
  readonly onClose: () => void;
  /** What sending it does, and what is said while that is under way. */
  readonly action: readonly [label: string, whilePending: string];
  readonly isPending: boolean;
  /** True while something that it takes is missing. */
  readonly isIncomplete?: boolean;
}

export function FormEnd({ refusal, onClose, action: [label, whilePending], isPending, isIncomplete }: FormEndProps) {
  return (
    <>
      {refusal === null ? null : (
        <Notice tone="bad" role="alert">
          {refusal}
        </Notice>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={onClose}>
          Close
        </Button>
        <Button
          size="medium"
          tone="primary"
          type="submit"
          disabled={isIncomplete ?? false}
          aria-disabled={isPending || undefined}
        >
          {isPending ? whilePending : label}
        </Button>
      </div>
    </>
  );
}
