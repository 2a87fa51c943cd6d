CREATE TABLE shop_orders (number text PRIMARY KEY);
INSERT INTO shop_orders VALUES ('A-1');
