-- A wallet's family is a network of src/shared/networks.ts, which alone lists them: another one needs no migration.
alter table wallets drop constraint wallets_family;
alter table wallets add constraint wallets_family check (family ~ '^[a-z0-9]+$');
