CREATE SCHEMA runledger;
