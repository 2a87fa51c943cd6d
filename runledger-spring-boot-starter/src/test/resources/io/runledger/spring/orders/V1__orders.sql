CREATE TABLE placed_orders (number text PRIMARY KEY, shipped boolean NOT NULL DEFAULT false);
