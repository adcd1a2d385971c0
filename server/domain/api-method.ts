// The HTTP methods of the API, as the log of requests is filtered by them.
export const API_METHODS = ["GET", "POST", "PATCH", "DELETE"] as const;

/** In place of a method: every one that may change something. */
export const ALL_BUT_GET = "not_GET";
