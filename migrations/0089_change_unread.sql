-- A wallet whose key the watcher can't open: its change is not read, so what lies there is more than what is counted.

alter table wallets add column change_unread_from bigint;
comment on column wallets.change_unread_from is 'The height from which the watcher could not open the key, so that change in later blocks was not read; empty again once the key opens and no coin of the wallet was spent meanwhile.';
