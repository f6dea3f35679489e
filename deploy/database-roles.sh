#!/bin/sh
# The roles of compose.yaml: an owner of the tables, and one for the instances, to which `paythread migrate` gives its rights.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<SQL
CREATE ROLE paythread_owner LOGIN PASSWORD '$DATABASE_OWNER_PASSWORD';
CREATE ROLE paythread_app LOGIN PASSWORD '$DATABASE_PASSWORD';
CREATE SCHEMA paythread AUTHORIZATION paythread_owner;
SQL
