{ Lends books.

  It is small. }
unit Shelf;

{$mode objfpc}{$H+}

interface

uses
  Classes, SysUtils, Books.Reader;

const
  Limit = 3;

type
  TId = Integer;
  TBook = class;
  TCompare = function(A, B: TBook): Integer of object;

  // How it is.
  TState = (stOpen, stClosed);

  { A place
    on a shelf. }
  TPlace = packed record
    Row, Column: Integer;
    case Boolean of
      True: (A: Byte);
      False: (B: Char);
  end;

  /// <summary>Can be lent.</summary>
  ILend = interface
    ['{6B29FC40-CA47-1067-B31D-00DD010662DA}']
    procedure Lend(Id: TId);
    function Days: Integer;
  end;

  (* A shelf of books. *)
  TShelf = class(TInterfacedObject, ILend)
  private
    FName: string;
    FBooks: array of TBook;
    function GetCount: Integer;
  public
    type
      TEntry = record
        A: Integer;
        procedure Reset;
      end;
    constructor Create(const AName: string);
    destructor Destroy; override;
    { Lends one. }
    procedure Lend(Id: TId); virtual;
    function Days: Integer;
    class function Make: TShelf; static;
    property Name: string read FName write FName;
    property Count: Integer read GetCount;
  end;

  TBox<T> = class
    Value: T;
    function Get: T;
  end;

  TShelfHelper = class helper for TShelf
    procedure Sort;
  end;

var
  Shared: TShelf;

{ Opens a shelf. }
function Open(const Name: string;
  Flags: Integer = 0): TShelf; overload;

implementation

uses
  Math;

{ TShelf }

constructor TShelf.Create(const AName: string);
begin
  inherited Create;
  FName := AName;
end;

destructor TShelf.Destroy;
begin
  try
    FBooks := nil;
  finally
    inherited;
  end;
end;

function TShelf.GetCount: Integer;
begin
  Result := Length(FBooks);
end;

// Lends one; 'end' in a string.
procedure TShelf.Lend(Id: TId);
var
  S: string;

  { Only here. }
  function Local(X: Integer): Integer;
  begin
    case X of
      1: Result := 2;
    else
      begin Result := 3; end;
    end;
  end;

begin
  S := 'it''s the end; begin';
  if Local(Id) > 2 then begin
    WriteLn(S);
  end;
end;

function TShelf.Days: Integer;
const
  Table: array[0..1] of record A: Integer; end = ((A: 1), (A: 2));
begin
  Result := Table[0].A;
end;

class function TShelf.Make: TShelf;
begin
  Result := TShelf.Create('made');
end;

procedure TShelf.TEntry.Reset;
begin
  A := 0;
end;

function TBox<T>.Get: T;
begin
  Result := Value;
end;

procedure TShelfHelper.Sort;
begin
end;

function Open(const Name: string; Flags: Integer): TShelf;
begin
  Result := TShelf.Create(Name);
end;

procedure Puts(S: PChar); cdecl; external 'c' name 'puts';

procedure Fast; assembler;
asm
  nop
end;

operator + (A, B: TPlace) R: TPlace;
begin
  R.Row := A.Row + B.Row;
end;

initialization
  Shared := nil;

finalization
  Shared.Free;

end.
