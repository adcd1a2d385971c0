// Shows the secret of an endpoint. This is the only time that it is visible.
import { Button } from "../ui/button";
import { CopyLine } from "../ui/copy-line";
import { Notice } from "../ui/notice";

interface SecretOnceProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** The rest of a dialog, once there is a secret. */
export function SecretOnce({ secret, onClose }: SecretOnceProps) {
  return (
    <>
      <Notice tone="plain">Save this secret now: it verifies the signatures, and it is not shown again.</Notice>
      <dl className="rounded-md border border-line px-3.5">
        <CopyLine label="Signing secret" value={secret} isCode />
      </dl>
      <div className="flex justify-end">
        <Button size="medium" tone="primary" onClick={onClose}>
          I’ve saved it
        </Button>
      </div>
    </>
  );
}
