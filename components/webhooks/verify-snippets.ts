// How receivers verify a message, in three languages; the same text as in docs/webhooks.md.

export interface Snippet {
  readonly language: string;
  /** What it needs. */
  readonly setup: string;
  readonly code: string;
}

const TYPESCRIPT = `import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.SLUICE_WEBHOOK_SECRET!); // whsec_…

createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    const event = webhook.verify(Buffer.concat(chunks), request.headers as Record<string, string>);
    await enqueueOnce(event); // store it under event.id, answer, and do the work afterwards
    response.writeHead(204).end();
  } catch {
    response.writeHead(400).end();
  }
}).listen(8080);`;

const PYTHON = `import os
from flask import Flask, request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["SLUICE_WEBHOOK_SECRET"])  # whsec_…

@app.post("/hooks")
def hooks():
    try:
        event = webhook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError:
        return "", 400
    enqueue_once(event)  # store it under event["id"], answer, and do the work afterwards
    return "", 204`;

const GO = `// verify reports whether Sluice signed the body within the last five minutes; secret is whsec_…
func verify(secret string, header http.Header, body []byte) bool {
	seconds, err := strconv.ParseInt(header.Get("webhook-timestamp"), 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%d.%s", header.Get("webhook-id"), seconds, body)
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, signature := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(signature), []byte(want)) {
			return true
		}
	}
	return false
}

func hooks(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
	if err != nil || !verify(os.Getenv("SLUICE_WEBHOOK_SECRET"), r.Header, body) {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	enqueueOnce(r.Header.Get("webhook-id"), body) // store it under its id, answer, and do the work afterwards
	w.WriteHeader(http.StatusNoContent)
}`;

export const SNIPPETS: readonly Snippet[] = [
  { language: "TypeScript", setup: "npm install standardwebhooks", code: TYPESCRIPT },
  { language: "Python", setup: "pip install standardwebhooks", code: PYTHON },
  { language: "Go", setup: "Standard library only", code: GO },
];
