-- What RETAIN takes out, by when it ended. What was taken out is not in it, so the look at each start costs what is left.
CREATE INDEX payments_to_forget ON payments (ended_ms, id) WHERE customer_number LIKE '+%' AND is_due = 0;
