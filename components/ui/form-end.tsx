// The end of a form in a dialog: the reason of a rejection, and the buttons to close and submit.
import { useTexts } from "../i18n/use-texts";
import { Button } from "./button";
import { Notice } from "./notice";

interface FormEndProps {
  /** Why the submitted form was rejected; null if it was not. */
  readonly refusal: string | null;
  readonly onClose: () => void;
  /** The labels of the submit button, idle and while the request is running. */
  readonly action: readonly [label: string, whilePending: string];
  readonly isPending: boolean;
  /** True while a required value is missing. */
  readonly isIncomplete?: boolean;
}

export function FormEnd({ refusal, onClose, action: [label, whilePending], isPending, isIncomplete }: FormEndProps) {
  const texts = useTexts();
  return (
    <>
      {refusal === null ? null : (
        <Notice tone="bad" role="alert">
          {refusal}
        </Notice>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button size="medium" onClick={onClose}>
          {texts("common.close")}
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
