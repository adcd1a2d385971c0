// Shows a new one-time link. This is the only time that it is visible.
import { useTexts } from "../i18n/use-texts";
import { LocalTime } from "../time/local-time";
import { Button } from "../ui/button";
import { CopyLine } from "../ui/copy-line";
import { Notice } from "../ui/notice";

interface LinkOnceProps {
  readonly email: string;
  readonly link: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  readonly isMailed: boolean;
  readonly onClose: () => void;
}

/** The rest of a dialog, once there is a link. */
export function LinkOnce({ email, link, expiresAt, isMailed, onClose }: LinkOnceProps) {
  const texts = useTexts();
  return (
    <>
      <Notice tone="plain">
        {isMailed ? texts("members.linkMailed") : texts("members.linkNotMailed")}
        {texts.rich("members.linkHint", { localTime: () => <LocalTime iso={expiresAt} /> })}
      </Notice>
      <dl className="rounded-md border border-line px-3.5">
        <CopyLine label={texts("members.email")} value={email} />
        <CopyLine label={texts("members.link")} value={link} isCode />
      </dl>
      <div className="flex justify-end">
        <Button size="medium" tone="primary" onClick={onClose}>
          {texts("members.done")}
        </Button>
      </div>
    </>
  );
}
