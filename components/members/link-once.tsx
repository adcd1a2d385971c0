// Shows a new one-time link. This is the only time that it is visible.
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
  return (
    <>
      <Notice tone="plain">
        {isMailed
          ? "This link was mailed to them. Pass it on yourself only if the mail does not arrive. "
          : "Send this link to them by a channel that you trust. "}
        They choose their password with it, once, until <LocalTime iso={expiresAt} />. It is not shown again.
      </Notice>
      <dl className="rounded-md border border-line px-3.5">
        <CopyLine label="Email" value={email} />
        <CopyLine label="Link" value={link} isCode />
      </dl>
      <div className="flex justify-end">
        <Button size="medium" tone="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </>
  );
}
