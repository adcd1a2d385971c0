// Generated from docs/openapi.json by `npm run openapi`.
export interface paths {
    "/payment_intents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payment intents, newest first
         * @description Scope: `payment_intents:read`.
         */
        get: operations["listPaymentIntents"];
        put?: never;
        /**
         * Create a payment intent
         * @description Collects money from a customer. Calls the provider immediately; if it answers in time, `next_action` states what the customer must do. A repeated `merchant_reference` with equal fields returns 200 with the original.
         *
         *     Scope: `payment_intents:write`.
         */
        post: operations["createPaymentIntent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment_intents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment intent
         * @description To poll, start at 500 ms, double the interval up to 5 s, stop after about 60 s and rely on events.
         *
         *     Scope: `payment_intents:read`.
         */
        get: operations["getPaymentIntent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout_intents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List payout intents, newest first
         * @description Scope: `payout_intents:read`.
         */
        get: operations["listPayoutIntents"];
        put?: never;
        /**
         * Create a payout intent
         * @description Sends money to a bank account. The amount is held in the wallet immediately; the payout stays `requires_approval` until enough members approve it in the dashboard. API keys cannot approve payouts.
         *
         *     Scope: `payout_intents:write`.
         */
        post: operations["createPayoutIntent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout_intents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payout intent
         * @description Scope: `payout_intents:read`.
         */
        get: operations["getPayoutIntent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payout_intents/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a payout intent that awaits approval
         * @description Releases the held amount. The reason is stored as `failure_message` and included in the event.
         *
         *     Scope: `payout_intents:write`.
         */
        post: operations["cancelPayoutIntent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/topup_intents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List top-up intents, newest first
         * @description Scope: `topup_intents:read`.
         */
        get: operations["listTopupIntents"];
        put?: never;
        /**
         * Create a top-up intent
         * @description Funds the wallet from a crypto payment. The rate is fixed for 15 minutes; `next_action` states what to send where. Without `merchant_reference`, only the required Idempotency-Key prevents a retry from creating a second top-up.
         *
         *     Scope: `topup_intents:write`.
         */
        post: operations["createTopupIntent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/topup_intents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a top-up intent
         * @description Top-ups have no events; poll to detect their end.
         *
         *     Scope: `topup_intents:read`.
         */
        get: operations["getTopupIntent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/wallets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List balances per enabled currency
         * @description Scope: `wallets:read`.
         */
        get: operations["listWallets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/payment_methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the payment methods that are available
         * @description Scope: `payment_methods:read`.
         */
        get: operations["listPaymentMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook_events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the event types */
        get: operations["listWebhookEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events, newest first
         * @description Includes events that were sent to no endpoint.
         *
         *     Scope: `events:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an event
         * @description Scope: `events:read`.
         */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of an event, with their attempts
         * @description Scope: `events:read`.
         */
        get: operations["listEventDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deliveries/{id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a delivery
         * @description Sends the delivery now, whatever its state, and then follows the retry schedule. Event id and body bytes do not change.
         *
         *     Scope: `events:write`.
         */
        post: operations["resendDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook_endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints, newest first
         * @description Scope: `webhook_endpoints:read`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description The endpoint receives new events of the key's environment, of the types it subscribes to. At most ten per environment. The secret that verifies signatures is shown only once.
         *
         *     Scope: `webhook_endpoints:write`.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook_endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook endpoint
         * @description Scope: `webhook_endpoints:read`.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Deletes the endpoint permanently. Pending deliveries are not sent.
         *
         *     Scope: `webhook_endpoints:write`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change, pause or enable a webhook endpoint
         * @description Deliveries to a paused endpoint wait and are sent when it is enabled. Deliveries to a disabled endpoint are not sent when it is enabled; `missed` states how many a replay would send.
         *
         *     Scope: `webhook_endpoints:write`.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/webhook_endpoints/{id}/rotate_secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate the secret of a webhook endpoint
         * @description For 24 hours, deliveries are signed with both the previous and the new secret. The new secret is shown only once.
         *
         *     Scope: `webhook_endpoints:write`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook_endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test event to a webhook endpoint
         * @description Sends one signed example event immediately, with the header `webhook-test: true`. Returns the result within 10 seconds. The intent in the example does not exist.
         *
         *     Scope: `webhook_endpoints:write`.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhook_endpoints/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay missed events to a webhook endpoint
         * @description Sends events since the given time that failed, were skipped, or were never scheduled for the endpoint but are of a type it subscribes to now. Event ids and body bytes do not change. At most 5,000 events per call.
         *
         *     Scope: `webhook_endpoints:write`.
         */
        post: operations["replayToWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api_logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List calls of the API, newest first
         * @description Calls by all keys of the merchant in this environment, rejected ones included. A call appears within a second or two, and is stored for as long as the operator has set. A page may have fewer calls than `limit`, even none, while `has_more` is true: the filters are applied to at most 10,000 calls at a time.
         *
         *     Scope: `api_logs:read`.
         */
        get: operations["listApiLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api_logs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a call, with its bodies
         * @description Scope: `api_logs:read`.
         */
        get: operations["getApiLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/simulate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Simulate an outcome
         * @description Makes the sandbox provider report an outcome for a test intent. Test keys only; a live key gets 404.
         *
         *     Scope: `sandbox:write`.
         */
        post: operations["simulate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sandbox/clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the test clock
         * @description Returns the current time of your test environment. Test keys only; a live key gets 404.
         *
         *     Scope: `sandbox:read`.
         */
        get: operations["getSandboxClock"];
        put?: never;
        /**
         * Advance the test clock
         * @description Advances the time of your whole test environment. Everything that expires, lapses, is polled or is deleted by the new time becomes due now. The clock cannot be moved back. Test keys only; a live key gets 404.
         *
         *     Scope: `sandbox:write`.
         */
        post: operations["advanceSandboxClock"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "payment_intent.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The payment intent reached succeeded; funds are credited to the merchant wallet.
         * @description Signed by Standard Webhooks 1.0: verify the raw body before you use it. Delivery is at least once and unordered. Respond within 15 seconds. A delivery that is not accepted is attempted up to ten times over about three days.
         */
        post: operations["onPaymentIntentSucceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_intent.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The payment intent reached failed.
         * @description Signed by Standard Webhooks 1.0: verify the raw body before you use it. Delivery is at least once and unordered. Respond within 15 seconds. A delivery that is not accepted is attempted up to ten times over about three days.
         */
        post: operations["onPaymentIntentFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payment_intent.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The payment intent expired unpaid within its window.
         * @description Signed by Standard Webhooks 1.0: verify the raw body before you use it. Delivery is at least once and unordered. Respond within 15 seconds. A delivery that is not accepted is attempted up to ten times over about three days.
         */
        post: operations["onPaymentIntentExpired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout_intent.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The payout settled at the PSP and left the merchant wallet.
         * @description Signed by Standard Webhooks 1.0: verify the raw body before you use it. Delivery is at least once and unordered. Respond within 15 seconds. A delivery that is not accepted is attempted up to ten times over about three days.
         */
        post: operations["onPayoutIntentSucceeded"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout_intent.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The payout failed at the PSP after dispatch.
         * @description Signed by Standard Webhooks 1.0: verify the raw body before you use it. Delivery is at least once and unordered. Respond within 15 seconds. A delivery that is not accepted is attempted up to ten times over about three days.
         */
        post: operations["onPayoutIntentFailed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "payout_intent.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The payout was cancelled before dispatch.
         * @description Signed by Standard Webhooks 1.0: verify the raw body before you use it. Delivery is at least once and unordered. Respond within 15 seconds. A delivery that is not accepted is attempted up to ten times over about three days.
         */
        post: operations["onPayoutIntentCancelled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        CreatePaymentIntent: {
            /**
             * @description Minor units as a decimal string: "1050" is 10.50 BRL.
             * @example 1050
             */
            amount: string;
            /**
             * @description An ISO 4217 code, upper-case; it must be enabled for the merchant.
             * @example BRL
             */
            currency: string;
            /**
             * @description An ISO 3166-1 alpha-2 code, upper-case.
             * @example BR
             */
            country: string;
            /**
             * @description A method of `GET /payment_methods`: the country, an underscore and a name.
             * @example BR_PIX
             */
            payment_method: string;
            /**
             * @description Your own id of it; unique per environment and kind of resource, without a time limit.
             * @example order-1001
             */
            merchant_reference: string;
            /** @description The payer. `GET /payment_methods` lists the members that a method requires; no answer shows them. */
            customer?: {
                /** @description The payer's name. */
                name?: string;
                /** @description The payer's email address. */
                email?: string;
                /** @description Your own id of the payer. */
                reference?: string;
                /** @description The payer's tax or identity number. */
                document?: string;
            };
            /**
             * @description What is bought, for the payer's page. It also stays in the audit log: no personal data.
             * @example 2 tickets, row 7
             */
            description?: string;
            /**
             * @description Your page that the payer's page leads back to; https, with a test key also http. That the payer returns says nothing about the outcome.
             * @example https://shop.example/orders/1001
             */
            return_url?: string;
        };
        CreatePayoutIntent: {
            /**
             * @description Minor units as a decimal string: "1050" is 10.50 BRL.
             * @example 1050
             */
            amount: string;
            /**
             * @description An ISO 4217 code, upper-case; it must be enabled for the merchant.
             * @example BRL
             */
            currency: string;
            /**
             * @description An ISO 3166-1 alpha-2 code, upper-case.
             * @example BR
             */
            country: string;
            /**
             * @description Your own id of it; unique per environment and kind of resource, without a time limit.
             * @example order-1001
             */
            merchant_reference: string;
            /** @description The bank account that gets the money. */
            recipient: {
                /**
                 * @description The kind of recipient.
                 * @constant
                 */
                type: "bank_account";
                /**
                 * @description The account's number. Stored encrypted; answers show only the last four characters.
                 * @example 000123456789
                 */
                account_number: string;
                /**
                 * @description The bank's code in its country.
                 * @example 001
                 */
                bank_code: string;
                /**
                 * @description The name of the account's holder.
                 * @example Ana Souza
                 */
                holder_name: string;
            };
        };
        CancelPayoutIntent: {
            /**
             * @description Why, for people: shown in `failure_message`, the dashboard, the audit log and the event.
             * @example duplicate invoice
             */
            reason?: string;
        };
        CreateTopupIntent: {
            /** @description What your wallet is to receive. */
            destination: {
                /**
                 * @description Minor units as a decimal string: "1050" is 10.50 BRL.
                 * @example 1050
                 */
                amount: string;
                /**
                 * @description An ISO 4217 code, upper-case; it must be enabled for the merchant.
                 * @example BRL
                 */
                currency: string;
            };
            /** @description What the payer is to send. */
            source: {
                /**
                 * @description How the payer pays.
                 * @constant
                 */
                type: "provider_gateway";
                /** @description A provider's name. Without it, the operator's routing chooses. */
                provider?: string;
                /**
                 * @description A token symbol of three to six letters, upper-case.
                 * @example USDT
                 */
                currency: string;
                /**
                 * @description The token's network. Without it, the provider's first.
                 * @example tron
                 */
                network?: string;
            };
            /**
             * @description An ISO 3166-1 alpha-2 code, upper-case.
             * @example BR
             */
            country: string;
            /**
             * @description Your own id of it; unique per environment and kind of resource, without a time limit.
             * @example order-1001
             */
            merchant_reference?: string;
        };
        Nothing: Record<string, never>;
        CreateWebhookEndpoint: {
            /**
             * @description An https URL of a public host.
             * @example https://shop.example/hooks
             */
            url: string;
            /** @description What it is for, for people. */
            description?: string;
            /**
             * @description The event types that the endpoint subscribes to; null means all.
             * @example [
             *       "payment_intent.succeeded"
             *     ]
             */
            event_types?: ("payment_intent.succeeded" | "payment_intent.failed" | "payment_intent.expired" | "payout_intent.succeeded" | "payout_intent.failed" | "payout_intent.cancelled")[] | null;
        };
        UpdateWebhookEndpoint: {
            /**
             * @description An https URL of a public host.
             * @example https://shop.example/hooks
             */
            url?: string;
            /** @description What it is for, for people. */
            description?: string;
            /**
             * @description The event types that the endpoint subscribes to; null means all.
             * @example [
             *       "payment_intent.succeeded"
             *     ]
             */
            event_types?: ("payment_intent.succeeded" | "payment_intent.failed" | "payment_intent.expired" | "payout_intent.succeeded" | "payout_intent.failed" | "payout_intent.cancelled")[] | null;
            /**
             * @description `paused` holds deliveries back until it is `enabled` again.
             * @enum {string}
             */
            state?: "enabled" | "paused";
        };
        TestWebhookEndpoint: {
            /**
             * @description The type of the test event; defaults to payment_intent.succeeded.
             * @enum {string}
             */
            type?: "payment_intent.succeeded" | "payment_intent.failed" | "payment_intent.expired" | "payout_intent.succeeded" | "payout_intent.failed" | "payout_intent.cancelled";
        };
        ReplayWebhookEndpoint: {
            /**
             * Format: date-time
             * @description The start of the replay, at most 90 days ago.
             * @example 2026-11-20T00:00:00Z
             */
            since: string;
        };
        Simulate: {
            /** @description The id of one of your test intents, of any kind. */
            id: string;
            /** @description Payment intents: requires_action, pending, succeeded, declined, cancelled, expired. Payout intents: succeeded, declined, invalid_recipient, returned. Top-up intents: funds_seen, funds_dropped, succeeded, declined, expired, underpaid, overpaid. */
            outcome: string;
        };
        AdvanceClock: {
            /**
             * @description The number of seconds to advance the clock; at most 400 days in total.
             * @example 90000
             */
            advance_seconds: number;
        };
        /** @description The payment intent reached succeeded; funds are credited to the merchant wallet. */
        PaymentIntentSucceededEvent: {
            /** @description The same at every attempt and replay. Also sent in the header `webhook-id`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payment_intent.succeeded";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-11-21T09:30:00.000Z
             */
            timestamp: string;
            /**
             * @description The environment of the API key that created it.
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description The version of the API that wrote it. */
            api_version: string;
            /** @description Exactly these members. */
            data: {
                /** @description The intent that has ended. */
                payment_intent_id: string;
                /**
                 * @description Its final status.
                 * @constant
                 */
                status: "succeeded";
                /** @description Why it did not succeed. */
                failure_code: null;
                /** @description The same for people. */
                failure_message: null;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description The payment intent reached failed. */
        PaymentIntentFailedEvent: {
            /** @description The same at every attempt and replay. Also sent in the header `webhook-id`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payment_intent.failed";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-11-21T09:30:00.000Z
             */
            timestamp: string;
            /**
             * @description The environment of the API key that created it.
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description The version of the API that wrote it. */
            api_version: string;
            /** @description Exactly these members. */
            data: {
                /** @description The intent that has ended. */
                payment_intent_id: string;
                /**
                 * @description Its final status.
                 * @constant
                 */
                status: "failed";
                /**
                 * @description Why it did not succeed.
                 * @enum {string}
                 */
                failure_code: "provider_declined" | "provider_unavailable" | "invalid_recipient" | "underpaid" | "expired" | "cancelled";
                /** @description The same for people. */
                failure_message: string | null;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description The payment intent expired unpaid within its window. */
        PaymentIntentExpiredEvent: {
            /** @description The same at every attempt and replay. Also sent in the header `webhook-id`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payment_intent.expired";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-11-21T09:30:00.000Z
             */
            timestamp: string;
            /**
             * @description The environment of the API key that created it.
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description The version of the API that wrote it. */
            api_version: string;
            /** @description Exactly these members. */
            data: {
                /** @description The intent that has ended. */
                payment_intent_id: string;
                /**
                 * @description Its final status.
                 * @constant
                 */
                status: "expired";
                /**
                 * @description Why it did not succeed.
                 * @enum {string}
                 */
                failure_code: "provider_declined" | "provider_unavailable" | "invalid_recipient" | "underpaid" | "expired" | "cancelled";
                /** @description The same for people. */
                failure_message: string | null;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description The payout settled at the PSP and left the merchant wallet. */
        PayoutIntentSucceededEvent: {
            /** @description The same at every attempt and replay. Also sent in the header `webhook-id`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payout_intent.succeeded";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-11-21T09:30:00.000Z
             */
            timestamp: string;
            /**
             * @description The environment of the API key that created it.
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description The version of the API that wrote it. */
            api_version: string;
            /** @description Exactly these members. */
            data: {
                /** @description The intent that has ended. */
                payout_intent_id: string;
                /**
                 * @description Its final status.
                 * @constant
                 */
                status: "succeeded";
                /** @description Why it did not succeed. */
                failure_code: null;
                /** @description The same for people. */
                failure_message: null;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description The payout failed at the PSP after dispatch. */
        PayoutIntentFailedEvent: {
            /** @description The same at every attempt and replay. Also sent in the header `webhook-id`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payout_intent.failed";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-11-21T09:30:00.000Z
             */
            timestamp: string;
            /**
             * @description The environment of the API key that created it.
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description The version of the API that wrote it. */
            api_version: string;
            /** @description Exactly these members. */
            data: {
                /** @description The intent that has ended. */
                payout_intent_id: string;
                /**
                 * @description Its final status.
                 * @constant
                 */
                status: "failed";
                /**
                 * @description Why it did not succeed.
                 * @enum {string}
                 */
                failure_code: "provider_declined" | "provider_unavailable" | "invalid_recipient" | "underpaid" | "expired" | "cancelled";
                /** @description The same for people. */
                failure_message: string | null;
            };
        } & {
            [key: string]: unknown;
        };
        /** @description The payout was cancelled before dispatch. */
        PayoutIntentCancelledEvent: {
            /** @description The same at every attempt and replay. Also sent in the header `webhook-id`. */
            id: string;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "payout_intent.cancelled";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-11-21T09:30:00.000Z
             */
            timestamp: string;
            /**
             * @description The environment of the API key that created it.
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description The version of the API that wrote it. */
            api_version: string;
            /** @description Exactly these members. */
            data: {
                /** @description The intent that has ended. */
                payout_intent_id: string;
                /**
                 * @description Its final status.
                 * @constant
                 */
                status: "cancelled";
                /**
                 * @description Why it did not succeed.
                 * @enum {string}
                 */
                failure_code: "provider_declined" | "provider_unavailable" | "invalid_recipient" | "underpaid" | "expired" | "cancelled";
                /** @description The same for people. */
                failure_message: string | null;
            };
        } & {
            [key: string]: unknown;
        };
        PaymentIntent: {
            /**
             * @description The kind of this resource.
             * @constant
             */
            object: "payment_intent";
            /** @description Its id: `dord_` and an opaque identifier. */
            id: string;
            /** @description Minor units as a decimal string. */
            amount: string;
            /** @description An ISO 4217 code or a token symbol. */
            currency: string;
            /** @description An ISO 3166-1 alpha-2 code. */
            country: string;
            /**
             * @description The environment of the API key that created it.
             * @enum {string}
             */
            environment: "test" | "live";
            /**
             * @description `succeeded`, `failed` and `expired` are final.
             * @enum {string}
             */
            status: "processing" | "requires_action" | "succeeded" | "failed" | "expired";
            /** @description Your own id of it. */
            merchant_reference: string;
            /** @description The method's code. */
            payment_method: string;
            /** @description What is bought; absent unless it was given. */
            description?: string;
            /** @description Where the payer's page leads back to; absent unless it was given. */
            return_url?: string;
            /** @description What the payer must do; null if nothing. */
            next_action: components["schemas"]["PaymentNextAction"] | null;
            /** @description Why it failed, expired or was cancelled; null otherwise. */
            failure_code: ("provider_declined" | "provider_unavailable" | "invalid_recipient" | "underpaid" | "expired" | "cancelled") | null;
            /** @description The same for people; of a cancelled payout, the reason that was given. It may be null. */
            failure_message: string | null;
            /**
             * Format: date-time
             * @description The time of its creation.
             * @example 2026-11-21T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The time of its last change.
             * @example 2026-11-21T09:30:00.000Z
             */
            updated_at: string;
        };
        PaymentNextAction: components["schemas"]["RedirectToUrl"] | components["schemas"]["DisplayQrCode"] | components["schemas"]["DisplayBankTransferInstructions"];
        RedirectToUrl: {
            /**
             * @description What the payer must do. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "redirect_to_url";
            /** @description The page to send the payer to. */
            url: string;
            /**
             * Format: date-time
             * @description The time until which the payer can do it.
             * @example 2026-11-21T09:30:00.000Z
             */
            expires_at: string;
        };
        DisplayQrCode: {
            /**
             * @description What the payer must do. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "display_qr_code";
            /** @description The raw code, to copy and paste. */
            data: string;
            /** @description The code as a PNG image. */
            image_url_png: string;
            /** @description The code as an SVG image. */
            image_url_svg: string;
            /** @description Our page with these instructions for the payer. */
            hosted_instructions_url: string;
            /**
             * Format: date-time
             * @description The time until which the payer can do it.
             * @example 2026-11-21T09:30:00.000Z
             */
            expires_at: string;
        };
        DisplayBankTransferInstructions: {
            /**
             * @description What the payer must do. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            type: "display_bank_transfer_instructions";
            /** @description The sum to transfer, in minor units. */
            amount: string;
            /** @description An ISO 4217 code or a token symbol. */
            currency: string;
            /** @description The text that the transfer must carry. */
            reference: string;
            /** @description The accounts to transfer to; any one of them. */
            financial_addresses: {
                /** @description The transfer network, such as `spei`. */
                network: string;
                /** @description The bank's name. */
                bank_name: string;
                /** @description The bank's code in the network. */
                bank_code: string;
                /** @description The account to transfer to. */
                account_number: string;
                /** @description The name of the account's holder. */
                account_holder_name: string;
            }[];
            /** @description Our page with these instructions for the payer. */
            hosted_instructions_url: string;
            /**
             * Format: date-time
             * @description The time until which the payer can do it.
             * @example 2026-11-21T09:30:00.000Z
             */
            expires_at: string;
        };
        PaymentIntentPage: {
            /** @description The resources, newest first. */
            data: components["schemas"]["PaymentIntent"][];
            /** @description True if another page exists. */
            has_more: boolean;
            /** @description `cursor` of the next page; null without one. */
            next_cursor: string | null;
        };
        PayoutIntent: {
            /**
             * @description The kind of this resource.
             * @constant
             */
            object: "payout_intent";
            /** @description Its id: `word_` and an opaque identifier. */
            id: string;
            /** @description Minor units as a decimal string. */
            amount: string;
            /** @description An ISO 4217 code or a token symbol. */
            currency: string;
            /** @description An ISO 3166-1 alpha-2 code. */
            country: string;
            /**
             * @description The environment of the API key that created it.
             * @enum {string}
             */
            environment: "test" | "live";
            /**
             * @description `requires_approval` is the approval gate. `succeeded`, `failed` and `cancelled` are final.
             * @enum {string}
             */
            status: "requires_approval" | "processing" | "succeeded" | "failed" | "cancelled";
            /** @description Your own id of it. */
            merchant_reference: string;
            /** @description The bank account that gets the money. */
            recipient: {
                /**
                 * @description The kind of recipient.
                 * @constant
                 */
                type: "bank_account";
                /** @description The last four characters of the account's number. */
                account_last4: string;
                /** @description The bank's code in its country. */
                bank_code: string;
                /** @description The name of the account's holder. */
                holder_name: string;
            };
            /** @description Why it failed, expired or was cancelled; null otherwise. */
            failure_code: ("provider_declined" | "provider_unavailable" | "invalid_recipient" | "underpaid" | "expired" | "cancelled") | null;
            /** @description The same for people; of a cancelled payout, the reason that was given. It may be null. */
            failure_message: string | null;
            /**
             * Format: date-time
             * @description The time of its creation.
             * @example 2026-11-21T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The time of its last change.
             * @example 2026-11-21T09:30:00.000Z
             */
            updated_at: string;
        };
        PayoutIntentPage: {
            /** @description The resources, newest first. */
            data: components["schemas"]["PayoutIntent"][];
            /** @description True if another page exists. */
            has_more: boolean;
            /** @description `cursor` of the next page; null without one. */
            next_cursor: string | null;
        };
        TopupIntent: {
            /**
             * @description The kind of this resource.
             * @constant
             */
            object: "topup_intent";
            /** @description Its id: `tuin_` and an opaque identifier. */
            id: string;
            /**
             * @description `succeeded`, `failed` and `expired` are final.
             * @enum {string}
             */
            status: "requires_payment" | "processing" | "succeeded" | "failed" | "expired";
            /**
             * @description The environment of the API key that created it.
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description An ISO 3166-1 alpha-2 code. */
            country: string;
            /** @description Your own id of it; null if you gave none. */
            merchant_reference: string | null;
            /**
             * Format: date-time
             * @description The time of its creation.
             * @example 2026-11-21T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The time of its last change.
             * @example 2026-11-21T09:30:00.000Z
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description The time until which the payer can pay.
             * @example 2026-11-21T09:30:00.000Z
             */
            expires_at: string;
            /** @description Why it failed, expired or was cancelled; null otherwise. */
            failure_code: ("provider_declined" | "provider_unavailable" | "invalid_recipient" | "underpaid" | "expired" | "cancelled") | null;
            /** @description The same for people; of a cancelled payout, the reason that was given. It may be null. */
            failure_message: string | null;
            /** @description What your wallet receives. */
            destination: {
                /** @description The sum that was asked for, in minor units. */
                amount: string;
                /** @description The sum that the wallet has got so far, in minor units. */
                credited_amount: string;
                /** @description An ISO 4217 code or a token symbol. */
                currency: string;
                /** @description The merchant whose wallet it is. */
                merchant_id: string;
            };
            /** @description The conversion, fixed at creation. */
            fx: {
                /** @description The token that the payer sends. */
                source_currency: string;
                /** @description The currency of the wallet. */
                destination_currency: string;
                /** @description Units of the wallet's currency for one unit of the token. */
                rate: string;
                /** @description The operator's spread, in minor units of the wallet's currency. */
                spread_amount: string;
            };
            /** @description What the payer sends. */
            source: {
                /**
                 * @description How the payer pays.
                 * @enum {string}
                 */
                type: "provider_gateway" | "bank_transfer" | "manual";
                /** @description The provider that takes the payment. */
                provider: string;
                /** @description The sum that the payer sends, in minor units of the token. */
                amount: string;
                /** @description An ISO 4217 code or a token symbol. */
                currency: string;
                /**
                 * Format: date-time
                 * @description The time until which the offer holds.
                 * @example 2026-11-21T09:30:00.000Z
                 */
                expires_at: string;
                /** @description The provider's fee, in minor units of the token. */
                fee_amount: string;
                /**
                 * @description Who bears the fee: the operator (`absorbed`), the payer (`added`), or your credit (`deducted`).
                 * @enum {string}
                 */
                fee_mode: "absorbed" | "added" | "deducted";
            };
            /** @description Instructions for the payer; null until the provider returns an address. */
            next_action: {
                /**
                 * @description What the payer must do.
                 * @constant
                 */
                type: "display_crypto_payment_instructions";
                /** @description The address to send the tokens to. */
                address: string;
                /** @description What remains to be paid, in minor units of the token; `0` if nothing. */
                amount: string;
                /** @description An ISO 4217 code or a token symbol. */
                currency: string;
                /** @description The network to send the tokens over. */
                network: string;
                /**
                 * Format: date-time
                 * @description The time until which the payer can pay.
                 * @example 2026-11-21T09:30:00.000Z
                 */
                expires_at: string;
            } | null;
        };
        TopupIntentPage: {
            /** @description The resources, newest first. */
            data: components["schemas"]["TopupIntent"][];
            /** @description True if another page exists. */
            has_more: boolean;
            /** @description `cursor` of the next page; null without one. */
            next_cursor: string | null;
        };
        WalletList: {
            /** @description One wallet per currency. */
            data: {
                /**
                 * @description The kind of this resource.
                 * @constant
                 */
                object: "wallet";
                /**
                 * @description The environment of the API key.
                 * @enum {string}
                 */
                environment: "test" | "live";
                /** @description An ISO 4217 code or a token symbol. */
                currency: string;
                /** @description Minor units that are available for payouts. */
                available: string;
                /** @description Minor units that open payouts hold. */
                held: string;
            }[];
        };
        PaymentMethodList: {
            /** @description The methods of the merchant's currencies. */
            data: {
                /**
                 * @description The kind of this resource.
                 * @constant
                 */
                object: "payment_method";
                /** @description The code for `payment_method`. */
                code: string;
                /** @description The method's name, for people. */
                name: string;
                /** @description An ISO 3166-1 alpha-2 code. */
                country: string;
                /** @description An ISO 4217 code or a token symbol. */
                currency: string;
                /**
                 * @description What the payer will have to do.
                 * @enum {string}
                 */
                next_action_type: "redirect_to_url" | "display_qr_code" | "display_bank_transfer_instructions";
                /** @description The least sum of a payment, in minor units. */
                minimum_amount: string;
                /** @description The largest sum of a payment, in minor units. */
                maximum_amount: string;
                /** @description The time that the payer has. */
                expires_in_seconds: number;
                /** @description Members of `customer` that a creation with this method must have. */
                required_customer_fields: ("name" | "email" | "document")[];
            }[];
        };
        EventCatalogue: {
            /** @description All types; there are no others. */
            events: {
                /**
                 * @description The type of the event.
                 * @enum {string}
                 */
                event: "payment_intent.succeeded" | "payment_intent.failed" | "payment_intent.expired" | "payout_intent.succeeded" | "payout_intent.failed" | "payout_intent.cancelled";
                /** @description What it means. */
                description: string;
                /** @description An example of the event's `data`. */
                payload: {
                    /** @description The payment intent; absent in events of payouts. */
                    payment_intent_id?: string;
                    /** @description The payout intent; absent in events of payments. */
                    payout_intent_id?: string;
                    /**
                     * @description The final status that the event announces.
                     * @enum {string}
                     */
                    status: "succeeded" | "failed" | "expired" | "cancelled";
                    /** @description Why it failed, expired or was cancelled; null otherwise. */
                    failure_code: ("provider_declined" | "provider_unavailable" | "invalid_recipient" | "underpaid" | "expired" | "cancelled") | null;
                    /** @description The same for people; of a cancelled payout, the reason that was given. It may be null. */
                    failure_message: string | null;
                };
            }[];
        };
        EventPage: {
            /** @description The resources, newest first. */
            data: components["schemas"]["Event"][];
            /** @description True if another page exists. */
            has_more: boolean;
            /** @description `cursor` of the next page; null without one. */
            next_cursor: string | null;
        };
        Event: {
            /**
             * @description The kind of this resource.
             * @constant
             */
            object: "event";
            /** @description The same at every attempt and replay. Also sent in the header `webhook-id`. */
            id: string;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            type: "payment_intent.succeeded" | "payment_intent.failed" | "payment_intent.expired" | "payout_intent.succeeded" | "payout_intent.failed" | "payout_intent.cancelled";
            /**
             * Format: date-time
             * @description The time of the event.
             * @example 2026-11-21T09:30:00.000Z
             */
            timestamp: string;
            /**
             * @description The environment of the API key that created it.
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description The version of the API that wrote it. */
            api_version: string;
            /** @description What endpoints get as `data`. */
            data: {
                /** @description The payment intent; absent in events of payouts. */
                payment_intent_id?: string;
                /** @description The payout intent; absent in events of payments. */
                payout_intent_id?: string;
                /**
                 * @description The final status that the event announces.
                 * @enum {string}
                 */
                status: "succeeded" | "failed" | "expired" | "cancelled";
                /** @description Why it failed, expired or was cancelled; null otherwise. */
                failure_code: ("provider_declined" | "provider_unavailable" | "invalid_recipient" | "underpaid" | "expired" | "cancelled") | null;
                /** @description The same for people; of a cancelled payout, the reason that was given. It may be null. */
                failure_message: string | null;
            };
        };
        DeliveryPage: {
            /** @description The resources, newest first. */
            data: components["schemas"]["Delivery"][];
            /** @description True if another page exists. */
            has_more: boolean;
            /** @description `cursor` of the next page; null without one. */
            next_cursor: string | null;
        };
        Delivery: {
            /**
             * @description The kind of this resource.
             * @constant
             */
            object: "delivery";
            /** @description Its id: `dlv_` and an opaque identifier. */
            id: string;
            /**
             * @description The environment of the API key that created it.
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description The event that is delivered. */
            event_id: string;
            /**
             * @description The type of the event.
             * @enum {string}
             */
            event_type: "payment_intent.succeeded" | "payment_intent.failed" | "payment_intent.expired" | "payout_intent.succeeded" | "payout_intent.failed" | "payout_intent.cancelled";
            /** @description The endpoint that gets it. */
            webhook_endpoint_id: string;
            /**
             * @description `pending`: it waits for its next attempt. `failed`: the last attempt failed. `skipped`: it is not sent unless replayed.
             * @enum {string}
             */
            state: "pending" | "delivered" | "failed" | "skipped";
            /** @description The number of attempts so far. */
            attempt_count: number;
            /** @description The time of the next attempt; null without one. */
            next_attempt_at: string | null;
            /**
             * Format: date-time
             * @description The time of its creation.
             * @example 2026-11-21T09:30:00.000Z
             */
            created_at: string;
            /** @description The time of the last attempt; null while it is pending. */
            ended_at: string | null;
            /** @description The ten newest attempts, newest first. Attempts are stored for 30 days. */
            attempts: {
                /** @description 1 for the first attempt. */
                ordinal: number;
                /**
                 * Format: date-time
                 * @description When it was sent.
                 * @example 2026-11-21T09:30:00.000Z
                 */
                attempted_at: string;
                /** @description The HTTP status; null without an answer. */
                response_status: number | null;
                /** @description The time until the answer or the failure. */
                duration_ms: number;
                /** @description The headers that were sent. */
                request_headers: {
                    [key: string]: string;
                };
                /** @description The first 4 KiB of the response body. */
                response_body: string;
                /** @description Why there was no whole answer, in one word; null if there was. */
                error: string | null;
                /** @description The same in more words. */
                error_detail: string | null;
            }[];
        };
        WebhookEndpointWithSecret: {
            /**
             * @description The kind of this resource.
             * @constant
             */
            object: "webhook_endpoint";
            /** @description Its id: `we_` and an opaque identifier. */
            id: string;
            /**
             * @description The environment of the API key that created it.
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description The URL that events are posted to. */
            url: string;
            /** @description What it is for, for people. */
            description: string;
            /** @description The event types that it gets; null means all. */
            event_types: ("payment_intent.succeeded" | "payment_intent.failed" | "payment_intent.expired" | "payout_intent.succeeded" | "payout_intent.failed" | "payout_intent.cancelled")[] | null;
            /**
             * @description `paused`: you hold deliveries back. `disabled`: we do, because the receiver is gone or failing.
             * @enum {string}
             */
            state: "enabled" | "paused" | "disabled";
            /** @description `gone`: it answered 410. `failing`: it accepted nothing for days. Null unless disabled. */
            disabled_reason: ("gone" | "failing") | null;
            /** @description When it was disabled; null unless it is. */
            disabled_at: string | null;
            /** @description The time since which the endpoint has accepted no delivery; null while it accepts them. */
            failing_since: string | null;
            /** @description The last warning sent, as hours without an accepted delivery. After 120 hours the endpoint is disabled. */
            warned_hours: (1 | 24 | 96) | null;
            /** @description The time of the last accepted delivery, to the minute. */
            last_accepted_at: string | null;
            /** @description The time until which deliveries are also signed with the previous secret. */
            previous_secret_expires_at: string | null;
            /**
             * Format: date-time
             * @description The time of its creation.
             * @example 2026-11-21T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The time of its last change.
             * @example 2026-11-21T09:30:00.000Z
             */
            updated_at: string;
            /** @description Shown only once. */
            secret: string;
        };
        WebhookEndpointPage: {
            /** @description The resources, newest first. */
            data: components["schemas"]["WebhookEndpoint"][];
            /** @description True if another page exists. */
            has_more: boolean;
            /** @description `cursor` of the next page; null without one. */
            next_cursor: string | null;
        };
        WebhookEndpoint: {
            /**
             * @description The kind of this resource.
             * @constant
             */
            object: "webhook_endpoint";
            /** @description Its id: `we_` and an opaque identifier. */
            id: string;
            /**
             * @description The environment of the API key that created it.
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description The URL that events are posted to. */
            url: string;
            /** @description What it is for, for people. */
            description: string;
            /** @description The event types that it gets; null means all. */
            event_types: ("payment_intent.succeeded" | "payment_intent.failed" | "payment_intent.expired" | "payout_intent.succeeded" | "payout_intent.failed" | "payout_intent.cancelled")[] | null;
            /**
             * @description `paused`: you hold deliveries back. `disabled`: we do, because the receiver is gone or failing.
             * @enum {string}
             */
            state: "enabled" | "paused" | "disabled";
            /** @description `gone`: it answered 410. `failing`: it accepted nothing for days. Null unless disabled. */
            disabled_reason: ("gone" | "failing") | null;
            /** @description When it was disabled; null unless it is. */
            disabled_at: string | null;
            /** @description The time since which the endpoint has accepted no delivery; null while it accepts them. */
            failing_since: string | null;
            /** @description The last warning sent, as hours without an accepted delivery. After 120 hours the endpoint is disabled. */
            warned_hours: (1 | 24 | 96) | null;
            /** @description The time of the last accepted delivery, to the minute. */
            last_accepted_at: string | null;
            /** @description The time until which deliveries are also signed with the previous secret. */
            previous_secret_expires_at: string | null;
            /**
             * Format: date-time
             * @description The time of its creation.
             * @example 2026-11-21T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The time of its last change.
             * @example 2026-11-21T09:30:00.000Z
             */
            updated_at: string;
        };
        ChangedWebhookEndpoint: {
            /**
             * @description The kind of this resource.
             * @constant
             */
            object: "webhook_endpoint";
            /** @description Its id: `we_` and an opaque identifier. */
            id: string;
            /**
             * @description The environment of the API key that created it.
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description The URL that events are posted to. */
            url: string;
            /** @description What it is for, for people. */
            description: string;
            /** @description The event types that it gets; null means all. */
            event_types: ("payment_intent.succeeded" | "payment_intent.failed" | "payment_intent.expired" | "payout_intent.succeeded" | "payout_intent.failed" | "payout_intent.cancelled")[] | null;
            /**
             * @description `paused`: you hold deliveries back. `disabled`: we do, because the receiver is gone or failing.
             * @enum {string}
             */
            state: "enabled" | "paused" | "disabled";
            /** @description `gone`: it answered 410. `failing`: it accepted nothing for days. Null unless disabled. */
            disabled_reason: ("gone" | "failing") | null;
            /** @description When it was disabled; null unless it is. */
            disabled_at: string | null;
            /** @description The time since which the endpoint has accepted no delivery; null while it accepts them. */
            failing_since: string | null;
            /** @description The last warning sent, as hours without an accepted delivery. After 120 hours the endpoint is disabled. */
            warned_hours: (1 | 24 | 96) | null;
            /** @description The time of the last accepted delivery, to the minute. */
            last_accepted_at: string | null;
            /** @description The time until which deliveries are also signed with the previous secret. */
            previous_secret_expires_at: string | null;
            /**
             * Format: date-time
             * @description The time of its creation.
             * @example 2026-11-21T09:30:00.000Z
             */
            created_at: string;
            /**
             * Format: date-time
             * @description The time of its last change.
             * @example 2026-11-21T09:30:00.000Z
             */
            updated_at: string;
            /** @description Deliveries that the endpoint missed while it was disabled. A replay from `since` sends them. */
            missed: {
                /** @description Their number. */
                deliveries: number;
                /**
                 * Format: date-time
                 * @description The time of the oldest.
                 * @example 2026-11-21T09:30:00.000Z
                 */
                since: string;
            } | null;
        };
        DeletedWebhookEndpoint: {
            /**
             * @description The kind of this resource.
             * @constant
             */
            object: "webhook_endpoint";
            /** @description Its id: `we_` and an opaque identifier. */
            id: string;
            /**
             * @description It is deleted for good.
             * @constant
             */
            deleted: true;
        };
        WebhookTest: {
            /**
             * @description The kind of this resource.
             * @constant
             */
            object: "webhook_test";
            /** @description The endpoint that gets it. */
            webhook_endpoint_id: string;
            /** @description The id of the test event, which is not stored. */
            event_id: string;
            /**
             * @description The type of the test event.
             * @enum {string}
             */
            type: "payment_intent.succeeded" | "payment_intent.failed" | "payment_intent.expired" | "payout_intent.succeeded" | "payout_intent.failed" | "payout_intent.cancelled";
            /** @description True if the receiver answered 2xx. */
            accepted: boolean;
            /**
             * Format: date-time
             * @description When it was sent.
             * @example 2026-11-21T09:30:00.000Z
             */
            attempted_at: string;
            /** @description The HTTP status; null without an answer. */
            response_status: number | null;
            /** @description The time until the answer or the failure. */
            duration_ms: number;
            /** @description The headers that were sent. */
            request_headers: {
                [key: string]: string;
            };
            /** @description The first 4 KiB of the response body. */
            response_body: string;
            /** @description Why there was no whole answer, in one word; null if there was. */
            error: string | null;
            /** @description The same in more words. */
            error_detail: string | null;
        };
        WebhookReplay: {
            /**
             * @description The kind of this resource.
             * @constant
             */
            object: "webhook_replay";
            /** @description The endpoint that gets it. */
            webhook_endpoint_id: string;
            /**
             * Format: date-time
             * @description The start of the replay.
             * @example 2026-11-21T09:30:00.000Z
             */
            since: string;
            /** @description The number of deliveries that are now due. */
            deliveries: number;
            /** @description True if more events remain; call again to send them. */
            has_more: boolean;
        };
        ApiLogPage: {
            /** @description The resources, newest first. */
            data: components["schemas"]["ApiLog"][];
            /** @description True if another page exists. */
            has_more: boolean;
            /** @description `cursor` of the next page; null without one. */
            next_cursor: string | null;
        };
        ApiLog: {
            /**
             * @description The kind of this resource.
             * @constant
             */
            object: "api_log";
            /** @description The `Request-Id` of the answer. */
            id: string;
            /**
             * @description The environment of the API key that made the call.
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description The HTTP method. */
            method: string;
            /** @description The path of the operation, such as `/payment_intents/:id`; null if none ran. */
            route: string | null;
            /** @description The path and query that were called, at most 1,024 characters. */
            path: string;
            /** @description The HTTP status of the answer. */
            status: number;
            /** @description The time until the answer, in milliseconds. */
            duration_ms: number;
            /** @description The address of the caller; null if unknown. */
            address: string | null;
            /** @description The API key that made the call. */
            api_key: {
                /** @description The id of the API key. */
                id: string;
                /** @description The name of the API key; null if unknown. */
                name: string | null;
            };
            /**
             * Format: date-time
             * @description The time of the call, by the service's clock, in test too.
             * @example 2026-11-21T09:30:00.000Z
             */
            created_at: string;
        };
        ApiLogWithBodies: {
            /**
             * @description The kind of this resource.
             * @constant
             */
            object: "api_log";
            /** @description The `Request-Id` of the answer. */
            id: string;
            /**
             * @description The environment of the API key that made the call.
             * @enum {string}
             */
            environment: "test" | "live";
            /** @description The HTTP method. */
            method: string;
            /** @description The path of the operation, such as `/payment_intents/:id`; null if none ran. */
            route: string | null;
            /** @description The path and query that were called, at most 1,024 characters. */
            path: string;
            /** @description The HTTP status of the answer. */
            status: number;
            /** @description The time until the answer, in milliseconds. */
            duration_ms: number;
            /** @description The address of the caller; null if unknown. */
            address: string | null;
            /** @description The API key that made the call. */
            api_key: {
                /** @description The id of the API key. */
                id: string;
                /** @description The name of the API key; null if unknown. */
                name: string | null;
            };
            /**
             * Format: date-time
             * @description The time of the call, by the service's clock, in test too.
             * @example 2026-11-21T09:30:00.000Z
             */
            created_at: string;
            /** @description The first 4,096 characters of the request's body as JSON; values that are secret or personal are `[hidden]`. Null without a body, or if it was too long to read. */
            request_body: string | null;
            /** @description The first 4,096 characters of the answer's body as JSON; values that are secret or personal are `[hidden]`. Null without a body, or if it was too long to read. */
            response_body: string | null;
        };
        SandboxClock: {
            /**
             * @description The kind of this resource.
             * @constant
             */
            object: "sandbox_clock";
            /**
             * Format: date-time
             * @description The current time of your test environment.
             * @example 2026-11-21T09:30:00.000Z
             */
            now: string;
            /** @description The number of seconds by which the test clock is ahead of real time. */
            offset_seconds: number;
        };
        Error: {
            /** @description The one error of the request. */
            error: {
                /**
                 * @description What happened, for programs.
                 * @enum {string}
                 */
                code: "validation_failed" | "unauthorized" | "forbidden" | "merchant_suspended" | "not_found" | "method_not_allowed" | "idempotency_conflict" | "duplicate_merchant_reference" | "payload_too_large" | "approval_required" | "insufficient_balance" | "payout_limit_exceeded" | "rate_limited" | "internal_error" | "service_unavailable";
                /** @description What happened, for people. It may be reworded. */
                message: string;
            };
        };
    };
    responses: {
        /**
         * @description `forbidden`: The key lacks the scope of this operation.
         *
         *     `merchant_suspended`: The operator has suspended the merchant: nothing is created.
         */
        ForbiddenOrMerchantSuspended: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "Api-Version": components["headers"]["ApiVersion"];
                "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "forbidden" | "merchant_suspended";
                        message?: string;
                    };
                };
            };
        };
        /**
         * @description `duplicate_merchant_reference`: Your `merchant_reference` belongs to an intent with other fields.
         *
         *     `idempotency_conflict`: The `Idempotency-Key` belongs to another request, or the first request is still running.
         */
        DuplicateMerchantReferenceOrIdempotencyConflict: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "Api-Version": components["headers"]["ApiVersion"];
                "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                "Retry-After": components["headers"]["RetryAfterConflict"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "duplicate_merchant_reference" | "idempotency_conflict";
                        message?: string;
                    };
                };
            };
        };
        /** @description `unauthorized`: The credentials are missing, wrong, revoked or expired. */
        Unauthorized: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "Api-Version": components["headers"]["ApiVersion"];
                "WWW-Authenticate": components["headers"]["Challenge"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "unauthorized";
                        message?: string;
                    };
                };
            };
        };
        /** @description `validation_failed`: The request is invalid; the message begins with the field. */
        ValidationFailed: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "Api-Version": components["headers"]["ApiVersion"];
                "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "validation_failed";
                        message?: string;
                    };
                };
            };
        };
        /** @description `method_not_allowed`: The path has other methods; `Allow` lists them. */
        MethodNotAllowed: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "Api-Version": components["headers"]["ApiVersion"];
                Allow: components["headers"]["Allow"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "method_not_allowed";
                        message?: string;
                    };
                };
            };
        };
        /** @description `rate_limited`: There were too many requests; wait for `Retry-After`. */
        RateLimited: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "Api-Version": components["headers"]["ApiVersion"];
                "Retry-After": components["headers"]["RetryAfter"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "rate_limited";
                        message?: string;
                    };
                };
            };
        };
        /** @description `internal_error`: An internal error. A retry under the same `Idempotency-Key` is safe. */
        InternalError: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "Api-Version": components["headers"]["ApiVersion"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "internal_error";
                        message?: string;
                    };
                };
            };
        };
        /** @description `service_unavailable`: The service cannot work at the moment; retry after `Retry-After`. */
        ServiceUnavailable: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "Api-Version": components["headers"]["ApiVersion"];
                "Retry-After": components["headers"]["RetryAfter"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "service_unavailable";
                        message?: string;
                    };
                };
            };
        };
        /** @description `payload_too_large`: The body is larger than 64 KiB. */
        PayloadTooLarge: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "Api-Version": components["headers"]["ApiVersion"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "payload_too_large";
                        message?: string;
                    };
                };
            };
        };
        /** @description `forbidden`: The key lacks the scope of this operation. */
        Forbidden: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "Api-Version": components["headers"]["ApiVersion"];
                "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "forbidden";
                        message?: string;
                    };
                };
            };
        };
        /** @description `not_found`: The id does not exist, or not for this merchant and environment. */
        NotFound: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "Api-Version": components["headers"]["ApiVersion"];
                "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "not_found";
                        message?: string;
                    };
                };
            };
        };
        /**
         * @description `insufficient_balance`: The available balance does not cover the payout.
         *
         *     `payout_limit_exceeded`: The payout exceeds a limit of the key, the recipient or the merchant.
         */
        InsufficientBalanceOrPayoutLimitExceeded: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "Api-Version": components["headers"]["ApiVersion"];
                "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "insufficient_balance" | "payout_limit_exceeded";
                        message?: string;
                    };
                };
            };
        };
        /** @description `approval_required`: The payout is no longer in the approval gate; the message names its status. */
        ApprovalRequired: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "Api-Version": components["headers"]["ApiVersion"];
                "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "approval_required";
                        message?: string;
                    };
                };
            };
        };
        /** @description `idempotency_conflict`: The `Idempotency-Key` belongs to another request, or the first request is still running. */
        IdempotencyConflict: {
            headers: {
                "Request-Id": components["headers"]["RequestId"];
                "Api-Version": components["headers"]["ApiVersion"];
                "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                "Retry-After": components["headers"]["RetryAfterConflict"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"] & {
                    error?: {
                        /** @enum {string} */
                        code?: "idempotency_conflict";
                        message?: string;
                    };
                };
            };
        };
    };
    parameters: {
        /** @description The event's id, the same at every attempt and replay. Store it to detect duplicates. */
        WebhookId: string;
        /** @description The time of this attempt, in Unix seconds. Reject messages that are older than five minutes. */
        WebhookTimestamp: string;
        /** @description HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` in base64, one for each active secret, separated by spaces. One match is enough. */
        WebhookSignature: string;
        /** @description Present only on test events. */
        WebhookTest: "true";
    };
    requestBodies: never;
    headers: {
        /** @description The id of this request, for your log and for support. */
        RequestId: string;
        /** @description The version of the API that answered. */
        ApiVersion: string;
        /** @description Present if this is the stored answer of an earlier request under the same `Idempotency-Key`. */
        IdempotentReplayed: "true";
        /** @description The names of query parameters that the operation does not know, percent-encoded, at most ten. */
        IgnoredParameters: string;
        /** @description How to authenticate. */
        Challenge: string;
        /** @description The methods of this path. */
        Allow: string;
        /** @description The seconds after which a retry can succeed. */
        RetryAfter: number;
        /** @description The seconds after which a retry can succeed; present only while the first request is running. */
        RetryAfterConflict: number;
        /** @description What is left of the limit (`r`) and the seconds until more is (`t`). */
        RateLimit: string;
        /** @description The limit. */
        RateLimitPolicy: string;
        /** @description The version of the body, for `If-None-Match`. */
        ETag: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listPaymentIntents: {
        parameters: {
            query?: {
                country?: string;
                /** @description Created at this time or later; ISO 8601 with an offset. */
                created_after?: string;
                /** @description Created before this time; ISO 8601 with an offset. */
                created_before?: string;
                currency?: string;
                cursor?: string;
                /** @description Your own id of it; compared exactly. */
                merchant_reference?: string;
                limit?: number;
                payment_method?: string;
                status?: ("processing" | "requires_action" | "succeeded" | "failed" | "expired")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentIntentPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPaymentIntent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe for 24 hours; a UUID v4 is recommended. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePaymentIntent"];
            };
        };
        responses: {
            /** @description The original intent of a repeated `merchant_reference`. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentIntent"];
                };
            };
            /** @description The new payment intent. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentIntent"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrMerchantSuspended"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["DuplicateMerchantReferenceOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPaymentIntent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment intent. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentIntent"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPayoutIntents: {
        parameters: {
            query?: {
                country?: string;
                /** @description Created at this time or later; ISO 8601 with an offset. */
                created_after?: string;
                /** @description Created before this time; ISO 8601 with an offset. */
                created_before?: string;
                currency?: string;
                cursor?: string;
                /** @description Your own id of it; compared exactly. */
                merchant_reference?: string;
                limit?: number;
                status?: ("requires_approval" | "processing" | "succeeded" | "failed" | "cancelled")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutIntentPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createPayoutIntent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe for 24 hours; a UUID v4 is recommended. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePayoutIntent"];
            };
        };
        responses: {
            /** @description The original intent of a repeated `merchant_reference`. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutIntent"];
                };
            };
            /** @description The new payout intent. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutIntent"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrMerchantSuspended"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["DuplicateMerchantReferenceOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["InsufficientBalanceOrPayoutLimitExceeded"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getPayoutIntent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payout intent. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutIntent"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    cancelPayoutIntent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe for 24 hours; a UUID v4 is recommended. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelPayoutIntent"];
            };
        };
        responses: {
            /** @description The cancelled payout intent. */
            202: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayoutIntent"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ApprovalRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listTopupIntents: {
        parameters: {
            query?: {
                country?: string;
                /** @description Created at this time or later; ISO 8601 with an offset. */
                created_after?: string;
                /** @description Created before this time; ISO 8601 with an offset. */
                created_before?: string;
                currency?: string;
                cursor?: string;
                /** @description Your own id of it; compared exactly. */
                merchant_reference?: string;
                limit?: number;
                /** @description How the payer pays. */
                source_type?: "provider_gateway" | "bank_transfer" | "manual";
                status?: ("requires_payment" | "processing" | "succeeded" | "failed" | "expired")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopupIntentPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createTopupIntent: {
        parameters: {
            query?: never;
            header: {
                /** @description Makes retries safe for 24 hours; a UUID v4 is recommended. */
                "Idempotency-Key": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTopupIntent"];
            };
        };
        responses: {
            /** @description The original intent of a repeated `merchant_reference`. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopupIntent"];
                };
            };
            /** @description The new top-up intent. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopupIntent"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrMerchantSuspended"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["DuplicateMerchantReferenceOrIdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getTopupIntent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The top-up intent. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TopupIntent"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWallets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All wallets of the key's environment. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listPaymentMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The methods of your currencies that a provider offers. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentMethodList"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All event types, each with an example payload. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventCatalogue"];
                };
            };
            /** @description Not modified since the ETag in `If-None-Match`. */
            304: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["ValidationFailed"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
                /** @description Created at this time or later; ISO 8601 with an offset. */
                created_after?: string;
                /** @description Created before this time; ISO 8601 with an offset. */
                created_before?: string;
                /** @description The payment or payout intent that the event is about. */
                intent_id?: string;
                /** @description The type of the events. */
                type?: "payment_intent.succeeded" | "payment_intent.failed" | "payment_intent.expired" | "payout_intent.succeeded" | "payout_intent.failed" | "payout_intent.cancelled";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event, as endpoints receive it. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listEventDeliveries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    resendDelivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe for 24 hours; a UUID v4 is recommended. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            /** @description The delivery, due now. */
            202: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe for 24 hours; a UUID v4 is recommended. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The new endpoint, with its secret. */
            201: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["ForbiddenOrMerchantSuspended"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe for 24 hours; a UUID v4 is recommended. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint was deleted. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedWebhookEndpoint"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe for 24 hours; a UUID v4 is recommended. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The endpoint after the change. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedWebhookEndpoint"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe for 24 hours; a UUID v4 is recommended. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Nothing"];
            };
        };
        responses: {
            /** @description The endpoint, with its new secret. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe for 24 hours; a UUID v4 is recommended. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TestWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The request that was sent, and its response. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookTest"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    replayToWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe for 24 hours; a UUID v4 is recommended. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReplayWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The number of deliveries that are now due. */
            202: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplay"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    listApiLogs: {
        parameters: {
            query?: {
                /** @description The first digit of the status: `2`, `4` or `5`. */
                status_class?: "2" | "4" | "5";
                /** @description The HTTP method of the calls. */
                method?: "GET" | "POST" | "PATCH" | "DELETE";
                /** @description Created at this time or later; ISO 8601 with an offset. */
                created_after?: string;
                /** @description Created before this time; ISO 8601 with an offset. */
                created_before?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One page. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiLogPage"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getApiLog: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the object that the path names. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiLogWithBodies"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    simulate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe for 24 hours; a UUID v4 is recommended. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Simulate"];
            };
        };
        responses: {
            /** @description The intent after the outcome. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaymentIntent"] | components["schemas"]["PayoutIntent"] | components["schemas"]["TopupIntent"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            422: components["responses"]["ApprovalRequired"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    getSandboxClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clock. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    advanceSandboxClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe for 24 hours; a UUID v4 is recommended. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdvanceClock"];
            };
        };
        responses: {
            /** @description The clock after the change. */
            200: {
                headers: {
                    "Request-Id": components["headers"]["RequestId"];
                    "Api-Version": components["headers"]["ApiVersion"];
                    "Ignored-Parameters": components["headers"]["IgnoredParameters"];
                    "Idempotent-Replayed": components["headers"]["IdempotentReplayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxClock"];
                };
            };
            400: components["responses"]["ValidationFailed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["IdempotencyConflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
    onPaymentIntentSucceeded: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same at every attempt and replay. Store it to detect duplicates. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of this attempt, in Unix seconds. Reject messages that are older than five minutes. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` in base64, one for each active secret, separated by spaces. One match is enough. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /** @description Present only on test events. */
                "webhook-test"?: components["parameters"]["WebhookTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentIntentSucceededEvent"];
            };
        };
        responses: {
            /** @description The receiver no longer exists. The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too busy. The delivery is retried after `Retry-After`, up to a day; other deliveries wait up to an hour. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. The response body is ignored, but its first 4 KiB are stored and shown. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted, including redirects. The delivery is retried on schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentIntentFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same at every attempt and replay. Store it to detect duplicates. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of this attempt, in Unix seconds. Reject messages that are older than five minutes. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` in base64, one for each active secret, separated by spaces. One match is enough. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /** @description Present only on test events. */
                "webhook-test"?: components["parameters"]["WebhookTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentIntentFailedEvent"];
            };
        };
        responses: {
            /** @description The receiver no longer exists. The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too busy. The delivery is retried after `Retry-After`, up to a day; other deliveries wait up to an hour. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. The response body is ignored, but its first 4 KiB are stored and shown. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted, including redirects. The delivery is retried on schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPaymentIntentExpired: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same at every attempt and replay. Store it to detect duplicates. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of this attempt, in Unix seconds. Reject messages that are older than five minutes. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` in base64, one for each active secret, separated by spaces. One match is enough. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /** @description Present only on test events. */
                "webhook-test"?: components["parameters"]["WebhookTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentIntentExpiredEvent"];
            };
        };
        responses: {
            /** @description The receiver no longer exists. The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too busy. The delivery is retried after `Retry-After`, up to a day; other deliveries wait up to an hour. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. The response body is ignored, but its first 4 KiB are stored and shown. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted, including redirects. The delivery is retried on schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPayoutIntentSucceeded: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same at every attempt and replay. Store it to detect duplicates. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of this attempt, in Unix seconds. Reject messages that are older than five minutes. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` in base64, one for each active secret, separated by spaces. One match is enough. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /** @description Present only on test events. */
                "webhook-test"?: components["parameters"]["WebhookTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutIntentSucceededEvent"];
            };
        };
        responses: {
            /** @description The receiver no longer exists. The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too busy. The delivery is retried after `Retry-After`, up to a day; other deliveries wait up to an hour. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. The response body is ignored, but its first 4 KiB are stored and shown. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted, including redirects. The delivery is retried on schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPayoutIntentFailed: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same at every attempt and replay. Store it to detect duplicates. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of this attempt, in Unix seconds. Reject messages that are older than five minutes. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` in base64, one for each active secret, separated by spaces. One match is enough. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /** @description Present only on test events. */
                "webhook-test"?: components["parameters"]["WebhookTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutIntentFailedEvent"];
            };
        };
        responses: {
            /** @description The receiver no longer exists. The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too busy. The delivery is retried after `Retry-After`, up to a day; other deliveries wait up to an hour. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. The response body is ignored, but its first 4 KiB are stored and shown. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted, including redirects. The delivery is retried on schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onPayoutIntentCancelled: {
        parameters: {
            query?: never;
            header: {
                /** @description The event's id, the same at every attempt and replay. Store it to detect duplicates. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The time of this attempt, in Unix seconds. Reject messages that are older than five minutes. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description HMAC-SHA-256 over `{webhook-id}.{webhook-timestamp}.{body}` in base64, one for each active secret, separated by spaces. One match is enough. */
                "webhook-signature": components["parameters"]["WebhookSignature"];
                /** @description Present only on test events. */
                "webhook-test"?: components["parameters"]["WebhookTest"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayoutIntentCancelledEvent"];
            };
        };
        responses: {
            /** @description The receiver no longer exists. The endpoint is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Too busy. The delivery is retried after `Retry-After`, up to a day; other deliveries wait up to an hour. */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Accepted. The response body is ignored, but its first 4 KiB are stored and shown. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not accepted, including redirects. The delivery is retried on schedule. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
