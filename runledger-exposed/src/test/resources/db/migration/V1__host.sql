-- What a service's own migration looks like, at the place where Flyway looks unless told otherwise.
CREATE TABLE orders (
    id uuid PRIMARY KEY,
    customer text NOT NULL
);
