// Shows a new pair of keys. This is the only time that the secret is visible.
import { Button } from "../ui/button";
import { CopyLine } from "../ui/copy-line";
import { Notice } from "../ui/notice";

interface PairOnceProps {
  readonly publicKey: string;
  readonly secretKey: string;
  readonly onClose: () => void;
}

/** The rest of a dialog, once there is a pair. */
export function PairOnce({ publicKey, secretKey, onClose }: PairOnceProps) {
  return (
    <>
      <Notice tone="plain">Keep the secret key now: it is not shown again, and nobody can look it up.</Notice>
      <dl className="rounded-md border border-line px-3.5">
        <CopyLine label="Public key" value={publicKey} isCode />
        <CopyLine label="Secret key" value={secretKey} isCode />
      </dl>
      <div className="flex justify-end">
        <Button size="medium" tone="primary" onClick={onClose}>
          I’ve saved it
        </Button>
      </div>
    </>
  );
}
