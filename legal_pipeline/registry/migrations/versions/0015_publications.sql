-- What a document's points in a collection were last made of: equal inputs and row hashes need no points to be made and compared.
create table publications (
    document_id  text not null references source_documents (document_id) on delete cascade,
    store        text not null,
    collection   text not null,
    made_from    text not null, -- hash of the inputs
    data_version text not null,
    row_hashes   text not null, -- hash of the row hashes of all points
    primary key (document_id, store, collection)
);
