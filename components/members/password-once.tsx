// Shows a generated password. This is the only time that it is visible.
import { Button } from "../ui/button";
import { CopyLine } from "../ui/copy-line";
import { Notice } from "../ui/notice";

interface PasswordOnceProps {
  readonly email: string;
  readonly password: string;
  readonly onClose: () => void;
}

/** The rest of a dialog, once there is a password. */
export function PasswordOnce({ email, password, onClose }: PasswordOnceProps) {
  return (
    <>
      <Notice tone="plain">
        Hand this password to them by a way that you trust. It is not shown again; they change it under their account.
      </Notice>
      <dl className="rounded-md border border-line px-3.5">
        <CopyLine label="Email" value={email} />
        <CopyLine label="Password" value={password} isCode />
      </dl>
      <div className="flex justify-end">
        <Button size="medium" tone="primary" onClick={onClose}>
          I have kept it
        </Button>
      </div>
    </>
  );
}
