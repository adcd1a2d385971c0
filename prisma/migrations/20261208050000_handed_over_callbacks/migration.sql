-- Finds the callbacks that a cell has handed over: `dispatch resume` of a restored cell has the newest of them tried again.
CREATE INDEX "provider_callback_handed_over" ON "provider_callback" (received_at DESC) WHERE result = 'handed_over';
